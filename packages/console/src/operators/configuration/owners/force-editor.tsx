import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { TextInput } from '../../../page-kit/components/text-input.tsx';
import { texts } from '../../texts/texts.ts';
import { ObjectEditor } from '../editor/object-editor.tsx';
import type { EditedVersion } from '../editor/version-conflict.tsx';
import { withoutSource } from '../text/settings-text.ts';
import { patchBetween } from './merge-patch.ts';
import { forceObject, type OwnedObject, previewForce } from './owner-requests.ts';

const { configuration } = texts;

/** Changes settings of a version of an object that a source owns, with a reason. Only what differs is sent. */
export function ForceEditor(props: OwnedObject & { readonly version: EditedVersion; readonly onDone: () => void }) {
  const { version, onDone, ...object } = props;
  const { edited } = version;
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const before = withoutSource(edited.object);
  const changeTo = (settings: unknown) => ({ patch: patchBetween(before, settings), etag: edited.etag });
  return (
    <>
      <p role="note">{configuration.forceMeans}</p>
      <ObjectEditor
        resource={object.resource}
        initial={before}
        action={configuration.force}
        preview={(settings) => previewForce(object, changeTo(settings))}
        save={async (settings) => {
          await forceObject(object, changeTo(settings), reason.trim());
          await client.invalidateQueries({ queryKey: ['configuration'] });
          onDone();
        }}
        onCancel={onDone}
        version={version}
        deleted={configuration.deletedOfSource}
      >
        <TextInput label={configuration.reason} value={reason} onChange={setReason} />
      </ObjectEditor>
    </>
  );
}
