import { useQuery } from '@tanstack/react-query';
import type { AdministeredResource } from '@waybill/contracts/endpoints/administration/resource';
import { usePermissions } from '../../api/permissions.ts';
import { unlessRefused } from '../../api/refusals.ts';
import { LinkList } from '../../frame/link-list.tsx';
import { Panel } from '../../frame/panel.tsx';
import { useConfigurationRefresh } from '../../live/live-configuration.ts';
import { texts } from '../../texts/texts.ts';
import { namedByVariables, usesOf } from '../related/references.ts';
import { addressOf, findCollection, mayOn, titleOfObject } from '../stored/collection.ts';
import { listObjects, type ObjectAddress } from '../stored/objects.ts';

const { configuration } = texts;

/** What refers to an object, of the kinds that the user may see, each with a link. Nothing for kinds that nothing refers to. */
export function UsedBy(props: { readonly resource: AdministeredResource; readonly address: ObjectAddress }) {
  const { resource, address } = props;
  const permissions = usePermissions();
  const seen = usesOf(resource).flatMap(([collection, filter]) => {
    const kind = findCollection(collection);
    return kind !== undefined && mayOn(permissions, kind, 'read') ? [{ kind, filter }] : [];
  });
  const { data, error } = useQuery({
    queryKey: ['configuration', 'uses', resource.collection, address, seen.length],
    queryFn: ({ signal }) => Promise.all(seen.map((list) => readUses(list, address, signal))),
    refetchInterval: unlessRefused(useConfigurationRefresh()),
    enabled: seen.length > 0,
  });
  if (seen.length === 0) return null;
  const found = data?.flatMap(({ objects }) => objects);
  return (
    <Panel
      title={configuration.usedBy}
      error={error}
      isRead={data !== undefined}
      {...(namedByVariables.has(resource.collection) && { hint: configuration.referredByVariables })}
    >
      {found?.length === 0 && <p className="quiet">{configuration.notReferredTo}</p>}
      <LinkList label={configuration.usedBy} links={found ?? []} />
      {data?.some(({ hasMore }) => hasMore) && <p className="quiet">{configuration.referredByMore}</p>}
    </Panel>
  );
}

/** The first page of a list. */
async function readUses(
  { kind, filter }: { readonly kind: AdministeredResource; readonly filter: string },
  { name, actor }: ObjectAddress,
  signal: AbortSignal,
) {
  // Other names are unique on the platform, and objects of other actors may refer to them.
  const scope = filter === 'group' ? { actor } : {};
  const { rows, next } = await listObjects(kind, { [filter]: name, ...scope }, { cursor: undefined, signal });
  return {
    objects: rows.map((object) => ({ href: addressOf(kind, object), title: titleOfObject(kind, object.name) })),
    hasMore: next !== undefined,
  };
}
