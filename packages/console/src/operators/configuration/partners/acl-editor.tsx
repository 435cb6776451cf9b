import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { AdministeredResource } from '@waybill/contracts/endpoints/administration/resource';
import { useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { BusyButton } from '../../../page-kit/components/busy-button.tsx';
import { Failure } from '../../frame/page-frame.tsx';
import { UnsavedGuard } from '../../frame/unsaved-guard.tsx';
import { texts } from '../../texts/texts.ts';
import { Review } from '../changes/review.tsx';
import { type ObjectAddress, patchObject } from '../stored/objects.ts';
import { AclRows } from './acl-row-fields.tsx';
import { aclOf, type AclRow } from './acl-rows.ts';

const { partners, configuration } = texts;

interface AclEditorProps {
  readonly resource: AdministeredResource;
  readonly address: ObjectAddress;
  readonly etag: string;
  readonly initial: readonly AclRow[];
  readonly onDone: () => void;
}

/** Changes who may do what on which path, after a look at the difference. */
export function AclEditor(props: AclEditorProps) {
  const { onDone } = props;
  const { rows, isUnsaved, preview, save, change } = useEditedAcl(props);
  const { data: reviewed } = preview;
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
      <UnsavedGuard isUnsaved={isUnsaved} />
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
      {reviewed !== undefined && <Review preview={reviewed} />}
      <div className="buttons">
        <Button className="button" onPress={onDone}>
          {configuration.cancel}
        </Button>
        <BusyButton className="button primary" type="submit" isBusy={preview.isPending || save.isPending}>
          {reviewed === undefined ? configuration.review : configuration.save}
        </BusyButton>
      </div>
    </form>
  );
}

/** The rows, what saving them would do, and what saves them. */
function useEditedAcl({ resource, address, etag, initial, onDone }: AclEditorProps) {
  const client = useQueryClient();
  const [rows, setRows] = useState(initial);
  const [isChanged, setChanged] = useState(false);
  const request = (isTrial: boolean) =>
    patchObject(resource, address, { patch: { acl: rows.length === 0 ? null : aclOf(rows) }, etag, isTrial });
  const preview = useMutation({ mutationFn: () => request(true) });
  const save = useMutation({
    mutationFn: () => request(false),
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
  return { rows, isUnsaved: isChanged && !save.isPending && !save.isSuccess, preview, save, change };
}

function newRow(rows: readonly AclRow[]): AclRow {
  const id = Math.max(-1, ...rows.map((row) => row.id)) + 1;
  return { id, path: rows.at(-1)?.path ?? '/', kind: 'user', name: '', permissions: new Set(['list', 'download']) };
}
