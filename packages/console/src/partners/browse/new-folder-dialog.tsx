import { useState } from 'react';
import { AppDialog } from '../../page-kit/components/dialog.tsx';
import { TextInput } from '../../page-kit/components/text-input.tsx';
import { messages } from '../../page-kit/messages/messages.ts';
import { useAction } from '../../page-kit/use-action.ts';
import { createFolder } from '../api/elements.ts';

interface NewFolderDialogProps {
  readonly path: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks for the name of a folder, and creates it. */
export function NewFolderDialog({ path, onDone, onClose }: NewFolderDialogProps) {
  const [name, setName] = useState('');
  const { isBusy, failure, run } = useAction(() => createFolder(`${path}/${name}`), onDone);
  return (
    <AppDialog
      title={messages.newFolder}
      action={messages.create}
      isBusy={isBusy}
      failure={failure}
      onAction={run}
      onClose={onClose}
    >
      <TextInput label={messages.folderName} value={name} onChange={setName} autoFocus />
    </AppDialog>
  );
}
