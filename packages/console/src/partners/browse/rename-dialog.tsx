import type { FileElement } from '@waybill/contracts/endpoints/files/elements/file-element';
import { useState } from 'react';
import { AppDialog } from '../../page-kit/components/dialog.tsx';
import { TextInput } from '../../page-kit/components/text-input.tsx';
import { messages } from '../../page-kit/messages/messages.ts';
import { useAction } from '../../page-kit/use-action.ts';
import { moveElement } from '../api/elements.ts';

interface RenameDialogProps {
  readonly element: FileElement;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks for the new path of an element, and moves it there. */
export function RenameDialog({ element, onDone, onClose }: RenameDialogProps) {
  const [path, setPath] = useState(element.id);
  const { isBusy, failure, run } = useAction(() => moveElement(element.id, path), onDone);
  return (
    <AppDialog
      title={messages.rename}
      action={messages.renameAction}
      isBusy={isBusy}
      failure={failure}
      onAction={run}
      onClose={onClose}
    >
      <TextInput label={messages.newPath} value={path} onChange={setPath} autoFocus />
    </AppDialog>
  );
}
