import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { formatBytes } from '../../../page-kit/format/format-bytes.ts';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { usePermissions } from '../../api/permissions.ts';
import { isUnknown, unlessRefused } from '../../api/refusals.ts';
import { Failure } from '../../frame/page-frame.tsx';
import { useConfigurationRefresh } from '../../live/live-configuration.ts';
import { texts } from '../../texts/texts.ts';
import { VfsUsage } from '../objects/vfs-usage.tsx';
import type { ConnectionContract } from '../related/connection-contracts.ts';
import { findCollection } from '../stored/collection.ts';
import { useObjectsOf } from '../stored/objects-of-actor.ts';
import { findObject, type StoredObject } from '../stored/objects.ts';
import { AclEditor } from './acl-editor.tsx';
import { rowsOf } from './acl-rows.ts';
import { AclTable } from './acl-table.tsx';
import { ObjectsPanel } from './objects-panel.tsx';
import { filesSchema, type PartnerFiles, useActor } from './partner-objects.ts';

const { partners, configuration } = texts;

/** The virtual file systems of a partner: their limits, their retention, and who may do what in them. */
export function FilesPanel(props: { readonly actor: string; readonly contracts: readonly ConnectionContract[] }) {
  const { actor, contracts } = props;
  const found = useObjectsOf('virtual-file-systems', filesSchema, actor);
  // What somebody else deletes meanwhile stays as long as it is edited.
  const [edited, setEdited] = useState<readonly PartnerFiles[]>([]);
  const stored = found.data?.objects ?? [];
  const deleted = edited.filter(({ name }) => stored.every((files) => files.name !== name));
  return (
    <ObjectsPanel
      {...{ actor, found }}
      collection="virtual-file-systems"
      title={partners.files}
      empty={partners.none.files}
      columns={[
        { title: partners.storageClass, cell: ({ storageClass = '' }) => <OutsideText text={storageClass} /> },
        { title: partners.usage, cell: ({ name }) => <VfsUsage name={name} /> },
        { title: partners.limits, cell: ({ limits = {} }) => limitsOf(limits) },
        { title: partners.retention, cell: ({ retention = {} }) => partners.retentionOf(retention) },
      ]}
    >
      {[...stored, ...deleted].map((files) => (
        <AclPart
          key={files.name}
          {...{ actor, files, contracts }}
          onEdit={(isEdited) =>
            setEdited((before) => [...before.filter(({ name }) => name !== files.name), ...(isEdited ? [files] : [])])
          }
        />
      ))}
    </ObjectsPanel>
  );
}

function limitsOf({ bytes, ...others }: Readonly<Record<string, number>>): string {
  const parts = Object.entries(others).map(([name, value]) => `${name}: ${value}`);
  return [...(bytes === undefined ? [] : [formatBytes(bytes)]), ...parts].join(', ') || partners.noLimits;
}

/** The access list of one virtual file system, and with permission its editor. */
function AclPart(props: {
  readonly actor: string;
  readonly files: PartnerFiles;
  readonly contracts: readonly ConnectionContract[];
  /** Is called when editing begins and ends. */
  readonly onEdit: (isEdited: boolean) => void;
}) {
  const { actor, files, contracts, onEdit } = props;
  const [isEdited, setShown] = useState<boolean>();
  const setEdited = (isBegun: boolean): void => {
    setShown(isBegun);
    onEdit(isBegun);
  };
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The button that had the focus is gone.
    if (isEdited !== undefined) heading.current?.focus();
  }, [isEdited]);
  const mayWrite = usePermissions().may('configuration:write') && files.source === null;
  const title = partners.aclOf(files.name);
  return (
    <section aria-label={title}>
      <h3 ref={heading} tabIndex={-1}>
        <OutsideText text={title} />
      </h3>
      {isEdited === true ? (
        <LoadedEditor {...{ actor }} name={files.name} onDone={() => setEdited(false)} />
      ) : (
        <>
          <AclTable label={title} vfs={files.name} rows={rowsOf(files.acl ?? [])} contracts={contracts} />
          {mayWrite && (
            <Button
              className="button small"
              aria-label={`${configuration.edit}: ${title}`}
              onPress={() => setEdited(true)}
            >
              {configuration.edit}
            </Button>
          )}
        </>
      )}
    </section>
  );
}

function LoadedEditor(props: { readonly actor: string; readonly name: string; readonly onDone: () => void }) {
  const { onDone, ...address } = props;
  const resource = findCollection('virtual-file-systems');
  // With the partner, there is nothing that it could be created again for.
  const isActorGone = isUnknown(useActor(address.actor).error);
  const { data, error } = useQuery({
    queryKey: ['configuration', 'virtual-file-systems', 'edited', address],
    queryFn: ({ signal }) => resource && findObject(resource, address, signal),
    refetchInterval: unlessRefused(useConfigurationRefresh()),
    // Editing begins with what is stored then.
    gcTime: 0,
  });
  // What is edited stays the version of the moment at which editing began, until its user goes on from another one.
  const [edited, setEdited] = useState<StoredObject>();
  if (edited === undefined && data !== undefined) setEdited(data);
  // What may not be read any more is not known any more; it was neither changed nor deleted.
  const current = data ?? edited;
  if (edited === undefined || resource === undefined) return <Failure error={error} />;
  return (
    <AclEditor
      {...{ resource, address, isActorGone, onDone }}
      version={{ edited, current: isActorGone || isUnknown(error) ? undefined : current, onEdit: setEdited }}
    />
  );
}
