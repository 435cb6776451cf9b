import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import {
  changeObjectsEndpoint,
  type GivenObjectChange,
} from '@waybill/contracts/endpoints/administration/change-objects';
import type { AdministeredResource } from '@waybill/contracts/endpoints/administration/resource';
import { Link } from 'react-aria-components';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { basePath } from '../../address/console-links.tsx';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { usePermissions } from '../../api/permissions.ts';
import { ConfirmButton } from '../../frame/confirm-button.tsx';
import { Failure } from '../../frame/page-frame.tsx';
import { texts } from '../../texts/texts.ts';
import { RequestedPreview } from '../changes/requested-preview.tsx';
import { addressOf, findCollection, titleOfObject } from '../stored/collection.ts';
import { listObjects, previewRemoval, removeObject } from '../stored/objects.ts';

const { configuration } = texts;

/** Objects that one request changes at most. */
const changedAtMost = 100;

/** Kinds of objects of actors, each before those that it refers to. */
const kinds: readonly AdministeredResource[] = [
  'access-tests',
  'contracts',
  'pgp-keys',
  'client-connections',
  'connection-contracts',
  'virtual-file-systems',
  'users',
  'groups',
].flatMap((collection) => findCollection(collection) ?? []);

/** What belongs to an actor. */
interface Belongings {
  readonly objects: readonly { readonly resource: AdministeredResource; readonly name: string }[];
  /** Whether there is more than that. */
  readonly isCut: boolean;
}

/** A button that deletes an actor with everything that belongs to it, in one step, after a look at all of it. */
export function RemoveActorButton(props: {
  /** That of actors. */
  readonly resource: AdministeredResource;
  readonly name: string;
  readonly etag: string;
}) {
  const { resource, name, etag } = props;
  const { history } = useRouter();
  const { mayForAll } = usePermissions();
  const { data, error } = useQuery({
    queryKey: ['configuration', 'belongings', name],
    queryFn: ({ signal }) => readBelongings(name, signal),
  });
  if (data === undefined) return <Failure error={error} />;
  const { objects } = data;
  // The interface has changes of several objects for roles without a limit to actors.
  const isAtOnce = mayForAll('configuration:write') && !data.isCut && objects.length < changedAtMost;
  const changes = removalOf(name, etag, objects);
  return (
    <ConfirmButton
      label={configuration.remove}
      title={isAtOnce && objects.length > 0 ? configuration.removeActorTitle(name) : configuration.removeTitle(name)}
      isDangerous
      act={async () => {
        if (isAtOnce) await callEndpoint(changeObjectsEndpoint, { body: { changes } });
        else await removeObject(resource, { name }, etag);
        history.push(`${basePath}/configuration/actors`);
      }}
    >
      <BelongingList actor={name} belongings={data} isAtOnce={isAtOnce} />
      <RequestedPreview
        queryKey={['removal of an actor', changes]}
        request={async () => {
          if (!isAtOnce) return previewRemoval(resource, { name }, etag);
          const preview = await callEndpoint(changeObjectsEndpoint, { body: { changes }, query: { dryRun: 'true' } });
          return { consequences: [], uses: [], ...preview };
        }}
      />
    </ConfirmButton>
  );
}

function BelongingList(props: { readonly actor: string; readonly belongings: Belongings; readonly isAtOnce: boolean }) {
  const { actor, belongings, isAtOnce } = props;
  const { objects, isCut } = belongings;
  if (objects.length === 0) return null;
  return (
    <>
      <p>{isAtOnce ? configuration.removedWithActor(objects.length) : configuration.removedBefore}</p>
      <ul className="results" aria-label={configuration.ofActor(actor)}>
        {objects.map(({ resource, name }) => (
          <li key={`${resource.collection}/${name}`}>
            <Link href={addressOf(resource, { name, actor })}>
              <OutsideText text={titleOfObject(resource, name)} />
            </Link>
          </li>
        ))}
        {isCut && <li>{configuration.moreOfActor}</li>}
      </ul>
    </>
  );
}

async function readBelongings(actor: string, signal: AbortSignal): Promise<Belongings> {
  const pages = await Promise.all(
    kinds.map(async (resource) => ({
      resource,
      page: await listObjects(resource, { actor }, { cursor: undefined, signal }),
    })),
  );
  return {
    objects: pages.flatMap(({ resource, page }) => page.rows.map(({ name }) => ({ resource, name }))),
    isCut: pages.some(({ page }) => page.next !== undefined),
  };
}

function removalOf(actor: string, etag: string, objects: Belongings['objects']): GivenObjectChange[] {
  return [
    ...objects.map(({ resource: { collection }, name }) => ({
      object: { collection, name, actor },
      delete: true as const,
    })),
    { object: { collection: 'actors', name: actor }, delete: true, ifMatch: etag },
  ];
}
