import { useQueryClient } from '@tanstack/react-query';
import type { FileMetadata } from '@waybill/contracts/endpoints/files/elements/file-metadata';
import type { Permission } from '@waybill/contracts/values/permission';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { BusyButton } from '../../page-kit/components/busy-button.tsx';
import { FormFailure } from '../../page-kit/components/failure.tsx';
import { TextInput } from '../../page-kit/components/text-input.tsx';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { useAction } from '../../page-kit/use-action.ts';
import { updateMetadata } from '../api/file-details.ts';
import { texts } from '../texts.ts';

const systemPrefix = 'SPFB_SP2_FILE_SYS_MD.';

/** The keys of the system class that users write; the platform writes the others. */
const writableSystemKeys = new Set(
  ['DESCRIPTION', 'CORRELATION_ID', 'DESTINATION_FILENAME', 'EXPIRY_DATE', 'USER_CLASS', 'PRIORITY'].map(
    (name) => `${systemPrefix}${name}`,
  ),
);

/** The metadata of a file, and who looks at it. */
export interface MetadataEditorProps {
  readonly file: FileMetadata;
  readonly permissions: ReadonlySet<Permission>;
}

interface Draft {
  readonly key: string;
  readonly value: string;
  readonly isNew: boolean;
}

/** Shows the metadata of a file, and lets those change it who may. */
export function MetadataEditor({ file, permissions }: MetadataEditorProps) {
  const [draft, setDraft] = useState<Draft>();
  const mayWrite = permissions.has('upload');
  const isWritable = (key: string): boolean =>
    mayWrite &&
    (!key.startsWith(systemPrefix) || writableSystemKeys.has(key)) &&
    // An expiry leads to the deletion of the file.
    (!key.endsWith('.EXPIRY_DATE') || permissions.has('delete'));
  // The attributes stand above already.
  const shown = Object.entries(file.metadata).filter(([key]) => !Object.hasOwn(file.attributes, key));
  const isOfPlatform = ([key]: readonly [string, string]): boolean =>
    key.startsWith(systemPrefix) && !writableSystemKeys.has(key);
  const [own, ofPlatform] = [shown.filter((entry) => !isOfPlatform(entry)), shown.filter(isOfPlatform)];
  const onChange = (key: string, value: string): void => setDraft({ key, value, isNew: false });
  return (
    <>
      <h3>{texts.metadata}</h3>
      <MetadataTable entries={own} {...{ isWritable, onChange }} />
      {ofPlatform.length > 0 && (
        <details>
          <summary>{texts.platformMetadata}</summary>
          <MetadataTable entries={ofPlatform} {...{ isWritable, onChange }} />
        </details>
      )}
      {mayWrite && draft === undefined && (
        <Button className="button" onPress={() => setDraft({ key: '', value: '', isNew: true })}>
          {texts.addMetadata}
        </Button>
      )}
      {draft !== undefined && (
        <DraftForm key={draft.key} path={file.id} draft={draft} onClose={() => setDraft(undefined)} />
      )}
    </>
  );
}

interface MetadataTableProps {
  readonly entries: readonly (readonly [key: string, value: string])[];
  readonly isWritable: (key: string) => boolean;
  readonly onChange: (key: string, value: string) => void;
}

function MetadataTable({ entries, isWritable, onChange }: MetadataTableProps) {
  return (
    <table className="metadata">
      <tbody>
        {entries.map(([key, value]) => (
          <tr key={key}>
            <th scope="row">
              <OutsideText text={key} />
            </th>
            <td>
              <OutsideText text={value} />
            </td>
            <td>
              {isWritable(key) && (
                <Button className="button" aria-label={`${texts.change}: ${key}`} onPress={() => onChange(key, value)}>
                  {texts.change}
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface DraftFormProps {
  readonly path: string;
  readonly draft: Draft;
  readonly onClose: () => void;
}

function DraftForm({ path, draft, onClose }: DraftFormProps) {
  const client = useQueryClient();
  const [key, setKey] = useState(draft.key);
  const [value, setValue] = useState(draft.value);
  const { isBusy, failure, run } = useAction(
    () => updateMetadata(path, { [key]: value }),
    () => {
      void client.invalidateQueries({ queryKey: ['metadata', path] });
      onClose();
    },
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      {draft.isNew && (
        <TextInput label={texts.metadataKey} value={key} onChange={setKey} hint={texts.metadataHint} autoFocus />
      )}
      <TextInput
        label={draft.isNew ? texts.metadataValue : key}
        value={value}
        onChange={setValue}
        autoFocus={!draft.isNew}
        isRequired={false}
      />
      {failure !== undefined && <FormFailure>{failure}</FormFailure>}
      <div className="buttons">
        <BusyButton className="button primary" type="submit" isBusy={isBusy}>
          {texts.save}
        </BusyButton>
        <Button className="button" onPress={onClose}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  );
}
