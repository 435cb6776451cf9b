import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { platformOwner } from '@waybill/contracts/configuration/configuration-source';
import { type AdministeredResource, permissionOn } from '@waybill/contracts/endpoints/administration/resource';
import { useState } from 'react';
import { Button, Link } from 'react-aria-components';
import { basePath } from '../../address/console-links.tsx';
import { useFilters } from '../../address/use-filters.ts';
import { usePermissions } from '../../api/permissions.ts';
import { isUnknown, unlessRefused } from '../../api/refusals.ts';
import { AllowedPage } from '../../frame/allowed-page.tsx';
import { ConfirmButton } from '../../frame/confirm-button.tsx';
import { PageFrame, ReadFailure } from '../../frame/page-frame.tsx';
import type { PageProps } from '../../frame/page.ts';
import { useConfigurationRefresh } from '../../live/live-configuration.ts';
import { texts } from '../../texts/texts.ts';
import { RequestedPreview } from '../changes/requested-preview.tsx';
import { ObjectEditor } from '../editor/object-editor.tsx';
import { type EditedVersion, StoredSettings } from '../editor/version-conflict.tsx';
import { LoginHelp } from '../logins/login-help.tsx';
import { ForceEditor } from '../owners/force-editor.tsx';
import { OwnedBySource } from '../owners/owned-by-source.tsx';
import { AdoptButton, ForcedRemoval, ReleaseButton } from '../owners/owner-buttons.tsx';
import { Related } from '../related/related.tsx';
import { findCollection, mayOn, titleOf, titleOfObject } from '../stored/collection.ts';
import {
  createObject,
  findObject,
  type ObjectAddress,
  previewCreation,
  previewRemoval,
  previewReplacement,
  removeObject,
  replaceObject,
  type StoredObject,
} from '../stored/objects.ts';
import { withoutSource } from '../text/settings-text.ts';
import { DryRunPanel } from '../workflows/dry-run-panel.tsx';
import { RevisionPanel } from '../workflows/revision-panel.tsx';
import { ConnectionExpiries } from './connection-expiries.tsx';
import { RemoveActorButton } from './remove-actor.tsx';
import { UsedBy } from './used-by.tsx';
import { VfsUsage } from './vfs-usage.tsx';

const { configuration } = texts;
const filterNames = ['actor'] as const;

/** One object of the configuration: its settings and its owner, and with permission what changes and deletes it. */
export function ObjectPage({ params: { collection, name = '' } }: PageProps) {
  const [{ actor }] = useFilters(filterNames);
  const resource = findCollection(collection);
  const permissions = usePermissions();
  if (resource === undefined) return <PageFrame title={texts.notFoundTitle}>{texts.notFound}</PageFrame>;
  const address = { name, actor };
  return (
    <AllowedPage isAllowed={permissions.userName === undefined || mayOn(permissions, resource, 'read')}>
      {/* Nothing of an object stays on the page of another one, such as a dialog whose link leads there. */}
      <ObjectView key={JSON.stringify([collection, name, actor])} {...{ resource, address }} />
    </AllowedPage>
  );
}

interface ObjectProps {
  readonly resource: AdministeredResource;
  readonly address: ObjectAddress;
}

function ObjectView({ resource, address }: ObjectProps) {
  const { data, error } = useQuery({
    queryKey: ['configuration', resource.collection, 'object', address],
    queryFn: ({ signal }) => findObject(resource, address, signal),
    refetchInterval: unlessRefused(useConfigurationRefresh()),
  });
  // What is edited stays the version of the moment at which editing began.
  const [edited, setEdited] = useState<StoredObject>();
  // What may not be read any more is not known any more; it was neither changed nor deleted.
  const current = data ?? edited;
  const source = edited?.object.source ?? current?.object.source;
  return (
    <PageFrame
      title={titleOfObject(resource, address.name)}
      actions={
        data !== undefined &&
        data.object.source !== platformOwner &&
        edited === undefined && <Actions {...{ resource, address }} stored={data} onEdit={() => setEdited(data)} />
      }
    >
      <p>
        <Link href={`/configuration/${resource.collection}`}>{titleOf(resource)}</Link>
        {resource.collection === 'actors' && (
          <>
            {' · '}
            <Link href={`/partners/${encodeURIComponent(address.name)}`}>{texts.partners.whole}</Link>
          </>
        )}
        {data !== undefined && ` · ${configuration.owner}: ${configuration.ownerOf(data.object.source)}`}
      </p>
      <ReadFailure
        error={error}
        isRead={data !== undefined}
        unknown={configuration.unknown(configuration.kindsOf(resource)[0], address.name)}
      />
      {data?.object.source === platformOwner && <p className="quiet">{configuration.isBuiltIn}</p>}
      {typeof data?.object.source === 'string' && data.object.source !== platformOwner && (
        <OwnedBySource {...{ resource, address }} source={data.object.source} />
      )}
      {edited === undefined && data !== undefined && <Shown {...{ resource, address }} object={data.object} />}
      {edited !== undefined && source !== undefined && (
        <EditorOf
          {...{ resource, address, source }}
          version={{ edited, current: isUnknown(error) ? undefined : current, onEdit: setEdited }}
          onDone={() => setEdited(undefined)}
        />
      )}
    </PageFrame>
  );
}

/** The settings, and what there is besides them of some kinds. */
function Shown({ resource, address, object }: ObjectProps & { readonly object: StoredObject['object'] }) {
  const { may } = usePermissions();
  return (
    <>
      {resource.collection === 'virtual-file-systems' && (
        <section aria-label={texts.partners.usage}>
          <h2>{texts.partners.usage}</h2>
          <VfsUsage name={address.name} />
        </section>
      )}
      <Related {...{ resource, object }} />
      <StoredSettings settings={withoutSource(object)} name={configuration.settings} />
      <UsedBy {...{ resource, address }} />
      {resource.collection === 'client-connections' && <ConnectionExpiries address={address} />}
      <LoginHelp {...{ resource, address, object }} />
      {resource.collection === 'contracts' && may('jobs:run') && (
        <p>
          <Link href={`/job-submission?contract=${encodeURIComponent(address.name)}`}>
            {texts.jobs.submitJob.title}
          </Link>
        </p>
      )}
      {resource.collection === 'workflow-templates' && (
        <>
          <DryRunPanel workflow={address.name} />
          <RevisionPanel name={address.name} />
        </>
      )}
    </>
  );
}

/** What the user may do with an object, by its owner. */
function Actions(props: ObjectProps & { readonly stored: StoredObject; readonly onEdit: () => void }) {
  const { resource, address, stored, onEdit } = props;
  const { may, mayForAll } = usePermissions();
  const { source } = stored.object;
  const [mayWrite, mayDelete] = (['write', 'delete'] as const).map((verb) => may(permissionOn(resource, verb)));
  // A source belongs to no actor.
  const mayPass = mayForAll('configuration:write') && mayForAll(permissionOn(resource, 'write'));
  const mayForceRemoval = mayPass && mayForAll(permissionOn(resource, 'delete'));
  return (
    <div className="buttons">
      {source === null && mayWrite === true && (
        <Button className="button" onPress={onEdit}>
          {configuration.edit}
        </Button>
      )}
      {source === null && mayDelete === true && resource.collection !== 'actors' && (
        <DeleteButton {...{ resource, address }} etag={stored.etag} />
      )}
      {source === null && mayDelete === true && resource.collection === 'actors' && (
        <RemoveActorButton {...{ resource, name: address.name }} etag={stored.etag} />
      )}
      {source === null && mayPass && <AdoptButton {...{ resource, address }} etag={stored.etag} />}
      {source !== null && mayPass && <ReleaseButton {...{ resource, address, source }} etag={stored.etag} />}
      {source !== null && mayPass && (
        <Button className="button" onPress={onEdit}>
          {configuration.force}
        </Button>
      )}
      {source !== null && mayForceRemoval && <ForcedRemoval {...{ resource, address }} etag={stored.etag} />}
    </div>
  );
}

/** What changes an object, by its owner. */
function EditorOf({
  source,
  ...props
}: ObjectProps & {
  readonly source: string | null;
  readonly version: EditedVersion;
  readonly onDone: () => void;
}) {
  return source === null ? <Editor {...props} /> : <ForceEditor {...props} />;
}

function Editor(props: ObjectProps & { readonly version: EditedVersion; readonly onDone: () => void }) {
  const { resource, address, version, onDone } = props;
  const { edited, current } = version;
  const isDeleted = current === undefined;
  const client = useQueryClient();
  return (
    <ObjectEditor
      resource={resource}
      initial={withoutSource(edited.object)}
      action={isDeleted ? configuration.createAgain : configuration.save}
      preview={(body) =>
        isDeleted ? previewCreation(resource, body) : previewReplacement(resource, address, { body, etag: edited.etag })
      }
      save={async (body) => {
        if (isDeleted) await createObject(resource, body);
        else await replaceObject(resource, address, { body, etag: edited.etag });
        await client.invalidateQueries({ queryKey: ['configuration', resource.collection] });
        onDone();
      }}
      onCancel={onDone}
      version={version}
    />
  );
}

function DeleteButton({ resource, address, etag }: ObjectProps & { readonly etag: string }) {
  const { history } = useRouter();
  return (
    <ConfirmButton
      label={configuration.remove}
      title={configuration.removeTitle(address.name)}
      isDangerous
      act={async () => {
        await removeObject(resource, address, etag);
        history.push(`${basePath}/configuration/${resource.collection}`);
      }}
    >
      <RequestedPreview
        queryKey={['removal', resource.collection, address, etag]}
        request={() => previewRemoval(resource, address, etag)}
      />
    </ConfirmButton>
  );
}
