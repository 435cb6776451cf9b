import type { FileElement } from '@waybill/contracts/endpoints/files/elements/file-element';
import { TextDialog } from '../../page-kit/components/text-dialog.tsx';
import { createFolder, moveElement } from '../api/elements.ts';
import { texts } from '../texts.ts';
import { MoveDialog } from './move-dialog.tsx';
import { inFolder, isFolderName, newPathOf } from './new-path.ts';
import { RemoveDialog } from './remove-dialog.tsx';

/** The dialog that is open, if any. */
export type OpenDialog = 'new-folder' | 'rename' | 'move' | 'remove' | undefined;

interface DialogsProps {
  readonly open: OpenDialog;
  readonly path: string;
  readonly chosen: readonly FileElement[];
  /** It has done what it is for; the path is the one that it made. */
  readonly onDone: (changedPath?: string) => void;
  /** Something has changed in a folder, and the dialog stays open. */
  readonly onChanged: (folder: string) => void;
  readonly onClose: () => void;
}

/** What changes a folder or its elements, one at a time. */
export function Dialogs({ open, path, chosen, onDone, onChanged, onClose }: DialogsProps) {
  const [only] = chosen;
  if (open === 'new-folder') {
    return (
      <TextDialog
        title={texts.newFolder}
        label={texts.folderName}
        action={texts.create}
        act={async (name) => {
          if (!isFolderName(name)) throw new Error(texts.noFolderName);
          await createFolder(inFolder(path, name));
        }}
        onDone={(name) => onDone(inFolder(path, name))}
        onClose={onClose}
      />
    );
  }
  if (open === 'rename' && only !== undefined) {
    return (
      <TextDialog
        title={texts.rename}
        label={texts.newPath}
        action={texts.renameAction}
        initial={only.id}
        hintOf={(text) => texts.newPathHint(newPathOf(only.id, text))}
        act={(text) => moveElement(only.id, newPathOf(only.id, text))}
        onDone={(text) => onDone(newPathOf(only.id, text))}
        onClose={onClose}
      />
    );
  }
  if (only === undefined) return null;
  const several = { elements: chosen, onDone: () => onDone(), onClose };
  if (open === 'remove') return <RemoveDialog {...several} onChanged={() => onChanged(path)} />;
  if (open !== 'move') return null;
  const changed = (folder: string): void => {
    onChanged(path);
    onChanged(folder);
  };
  return <MoveDialog {...several} path={path} onChanged={changed} />;
}
