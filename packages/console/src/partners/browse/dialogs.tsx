import type { FileElement } from '@waybill/contracts/endpoints/files/elements/file-element';
import { TextDialog } from '../../page-kit/components/text-dialog.tsx';
import { messages } from '../../page-kit/messages/messages.ts';
import { createFolder, moveElement } from '../api/elements.ts';
import { RemoveDialog } from './remove-dialog.tsx';

/** The dialog that is open, if any. */
export type OpenDialog = 'new-folder' | 'rename' | 'remove' | undefined;

interface DialogsProps {
  readonly open: OpenDialog;
  readonly path: string;
  readonly chosen: readonly FileElement[];
  /** It has done what it is for; the path is the one that it made. */
  readonly onDone: (changedPath?: string) => void;
  /** Something has changed, and the dialog stays open. */
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** What changes a folder or its elements, one at a time. */
export function Dialogs({ open, path, chosen, onDone, onChanged, onClose }: DialogsProps) {
  const [only] = chosen;
  if (open === 'new-folder') {
    return (
      <TextDialog
        title={messages.newFolder}
        label={messages.folderName}
        action={messages.create}
        act={(name) => createFolder(`${path}/${name}`)}
        onDone={(name) => onDone(`${path === '/' ? '' : path}/${name}`)}
        onClose={onClose}
      />
    );
  }
  if (open === 'rename' && only !== undefined) {
    return (
      <TextDialog
        title={messages.rename}
        label={messages.newPath}
        action={messages.renameAction}
        initial={only.id}
        act={(to) => moveElement(only.id, to)}
        onDone={onDone}
        onClose={onClose}
      />
    );
  }
  if (open !== 'remove' || only === undefined) return null;
  return <RemoveDialog elements={chosen} onDone={() => onDone()} onChanged={onChanged} onClose={onClose} />;
}
