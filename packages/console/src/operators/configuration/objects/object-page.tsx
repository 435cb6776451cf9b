import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { AdministeredResource } from '@waybill/contracts/endpoints/administration/resource';
import { useState } from 'react';
import { Button, Link } from 'react-aria-components';
import { basePath } from '../../address/console-links.tsx';
import { useFilters } from '../../address/use-filters.ts';
import { usePermissions } from '../../api/permissions.ts';
import { RequestFailure } from '../../api/request-failure.ts';
import { ConfirmButton } from '../../frame/confirm-button.tsx';
import { Failure, PageFrame } from '../../frame/page-frame.tsx';
import type { PageProps } from '../../frame/page.ts';
import { texts } from '../../texts/texts.ts';
import { findCollection, permissionOf, titleOf } from './collection.ts';
import { ObjectEditor } from './object-editor.tsx';
import { findObject, type ObjectAddress, removeObject, replaceObject, type StoredObject } from './objects.ts';
import { settingsText } from './settings-text.ts';

const { configuration } = texts;
const filterNames = ['actor'] as const;

/** One object of the configuration: its settings and its owner, and with permission what changes and deletes it. */
export function ObjectPage({ params: { collection, name = '' } }: PageProps) {
  const [{ actor }] = useFilters(filterNames);
  const resource = findCollection(collection);
  if (resource === undefined) return <PageFrame title={texts.notFoundTitle}>{texts.notFound}</PageFrame>;
  return <ObjectView resource={resource} address={{ name, actor }} />;
}

interface ObjectProps {
  readonly resource: AdministeredResource;
  readonly address: ObjectAddress;
}

function ObjectView({ resource, address }: ObjectProps) {
  const { data, error } = useQuery({
    queryKey: ['configuration', resource.collection, 'object', address],
    queryFn: ({ signal }) => findObject(resource, address, signal),
    refetchInterval: 1_500,
  });
  // What is edited stays the version of the moment at which editing began.
  const [edited, setEdited] = useState<StoredObject>();
  const { may } = usePermissions();
  const isOwnedByApi = data?.object.source === null;
  return (
    <PageFrame
      title={address.name}
      actions={
        data !== undefined &&
        isOwnedByApi &&
        edited === undefined && (
          <div className="buttons">
            {may(permissionOf(resource, 'write')) && (
              <Button className="button" onPress={() => setEdited(data)}>
                {configuration.edit}
              </Button>
            )}
            {may(permissionOf(resource, 'delete')) && <DeleteButton {...{ resource, address }} etag={data.etag} />}
          </div>
        )
      }
    >
      <p>
        <Link href={`/configuration/${resource.collection}`}>{titleOf(resource)}</Link>
        {data !== undefined && ` · ${configuration.owner}: ${configuration.ownerOf(data.object.source)}`}
      </p>
      <Failure error={error} />
      {data !== undefined && !isOwnedByApi && <p className="quiet">{configuration.ownedBySource}</p>}
      {edited === undefined && data !== undefined && <Settings object={data.object} name={configuration.settings} />}
      {edited !== undefined && (
        <Editor {...{ resource, address, edited }} current={data} onDone={() => setEdited(undefined)} />
      )}
    </PageFrame>
  );
}

function Settings({ object, name }: { readonly object: StoredObject['object']; readonly name: string }) {
  return (
    <pre className="note" role="region" tabIndex={0} aria-label={name}>
      {settingsText(withoutSource(object))}
    </pre>
  );
}

function Editor(
  props: ObjectProps & {
    readonly edited: StoredObject;
    readonly current: StoredObject | undefined;
    readonly onDone: () => void;
  },
) {
  const { resource, address, edited, current, onDone } = props;
  const client = useQueryClient();
  return (
    <ObjectEditor
      initial={withoutSource(edited.object)}
      action={configuration.save}
      save={async (body) => {
        await replaceObject(resource, address, { body, etag: edited.etag });
        await client.invalidateQueries({ queryKey: ['configuration', resource.collection] });
        onDone();
      }}
      onCancel={onDone}
      explain={(failure) =>
        failure instanceof RequestFailure &&
        failure.code === 'precondition_failed' &&
        current !== undefined && (
          <>
            <p>{configuration.conflict}</p>
            <Settings object={current.object} name={configuration.stored} />
          </>
        )
      }
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
    />
  );
}

/** The owner is no setting. */
function withoutSource(object: StoredObject['object']): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== 'source'));
}
