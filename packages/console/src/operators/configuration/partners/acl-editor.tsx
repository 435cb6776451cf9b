import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { AdministeredResource } from '@waybill/contracts/endpoints/administration/resource';
import { useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { Failure } from '../../frame/page-frame.tsx';
import { UnsavedGuard } from '../../frame/unsaved-guard.tsx';
import { texts } from '../../texts/texts.ts';
import { Review } from '../changes/review.tsx';
import { EditorButtons } from '../editor/editor-buttons.tsx';
import { type EditedVersion, StoredSettings } from '../editor/version-conflict.tsx';
import { createObject, type ObjectAddress, patchObject, previewCreation } from '../stored/objects.ts';
import { settingsText, withoutSource } from '../text/settings-text.ts';
import { AclConflict } from './acl-conflict.tsx';
import { AclRows } from './acl-row-fields.tsx';
import { aclOf, type AclRow, rowsOf } from './acl-rows.ts';
import { aclSchema } from './partner-objects.ts';

const { partners, configuration } = texts;

interface AclEditorProps {
  readonly resource: AdministeredResource;
  readonly address: ObjectAddress;
  readonly version: EditedVersion;
  /** The partner was deleted, too: the draft can only be copied. */
  readonly isActorGone: boolean;
  readonly onDone: () => void;
}

/** Changes who may do what on which path, after a look at the difference. */
export function AclEditor(props: AclEditorProps) {
  const { address, version, isActorGone, onDone } = props;
  const { rows, whole, isUnsaved, typed, preview, reviewed, save, change } = useEditedAcl(props);
  const addButton = useRef<HTMLButtonElement>(null);
  return (
    <form
      className="editor"
      onSubmit={(event) => {
        event.preventDefault();
        if (reviewed === undefined) preview.mutate();
        else save.mutate();
      }}
    >
      <UnsavedGuard isUnsaved={isUnsaved} draft={typed} />
      <AclRows
        rows={rows}
        onChange={change}
        onRemove={(id) => {
          // The button that had the focus goes with its row.
          addButton.current?.focus();
          change(rows.filter((row) => row.id !== id));
        }}
      />
      <div className="buttons">
        <Button className="button small" ref={addButton} onPress={() => change([...rows, newRow(rows)])}>
          {partners.addRow}
        </Button>
      </div>
      {rows.length === 0 && <p className="quiet">{partners.noAcl}</p>}
      <Failure error={preview.error ?? save.error} />
      {!save.isPending && !save.isSuccess && (
        <AclConflict
          {...{ rows, version }}
          deleted={isActorGone ? partners.deletedWith(address.actor ?? '') : undefined}
          onGoOn={(merged) => {
            // The button that had the focus is gone.
            addButton.current?.focus();
            change(merged);
          }}
        />
      )}
      {isActorGone && <StoredSettings settings={whole} name={partners.draftOf(address.name)} />}
      {reviewed !== undefined && <Review preview={reviewed} />}
      <EditorButtons
        action={version.current === undefined ? configuration.createAgain : configuration.save}
        onCancel={onDone}
        isBusy={preview.isPending || save.isPending}
        {...{ reviewed, isLost: isActorGone }}
      />
    </form>
  );
}

/** The rows, what saving them would do, and what saves them. */
function useEditedAcl({ resource, address, version, onDone }: AclEditorProps) {
  const { edited, current } = version;
  const client = useQueryClient();
  const [rows, setRows] = useState<readonly AclRow[]>(() => rowsOf(aclSchema.parse(edited.object['acl'] ?? [])));
  const [isChanged, setChanged] = useState(false);
  const acl = aclOf(rows);
  const { etag } = edited;
  const patch = { acl: acl.length === 0 ? null : acl };
  // If somebody else has deleted the object, it is created again.
  const whole = { ...withoutSource(edited.object), acl };
  const preview = useMutation({
    mutationFn: async () => ({
      of: current?.etag,
      changes: await (current === undefined
        ? previewCreation(resource, whole)
        : patchObject(resource, address, { patch, etag, isTrial: true })),
    }),
  });
  const save = useMutation({
    mutationFn: async () => {
      if (current === undefined) await createObject(resource, whole);
      else await patchObject(resource, address, { patch, etag, isTrial: false });
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['configuration'] });
      onDone();
    },
  });
  const change = (next: readonly AclRow[]): void => {
    preview.reset();
    save.reset();
    setRows(next);
    setChanged(true);
  };
  // What saving would do to another version is another question.
  const reviewed = preview.data?.of === current?.etag ? preview.data?.changes : undefined;
  const typed = isChanged && !save.isSuccess ? settingsText(whole) : undefined;
  return { rows, whole, typed, isUnsaved: typed !== undefined && !save.isPending, preview, reviewed, save, change };
}

function newRow(rows: readonly AclRow[]): AclRow {
  const id = Math.max(-1, ...rows.map((row) => row.id)) + 1;
  return { id, path: rows.at(-1)?.path ?? '/', kind: 'user', name: '', permissions: new Set(['list', 'download']) };
}
