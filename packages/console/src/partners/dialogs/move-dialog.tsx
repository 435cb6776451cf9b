import type { FileElement } from '@waybill/contracts/endpoints/files/elements/file-element';
import { useState } from 'react';
import { AppDialog } from '../../page-kit/components/dialog.tsx';
import { moveElement } from '../api/elements.ts';
import { texts } from '../texts.ts';
import { ElementOutcomes } from './element-outcomes.tsx';
import { FolderChooser } from './folder-chooser.tsx';
import { inFolder } from './new-path.ts';
import { useEachElement } from './use-each-element.ts';

interface MoveDialogProps {
  /** The folder of the elements. */
  readonly path: string;
  readonly elements: readonly FileElement[];
  /** Some elements were moved to a folder. */
  readonly onChanged: (folder: string) => void;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Moves elements to a folder that the user chooses, and shows each that could not be moved. */
export function MoveDialog({ path, elements, onChanged, onDone, onClose }: MoveDialogProps) {
  const [folder, setFolder] = useState(path);
  const { all, remaining, outcomes, isBusy, failure, run } = useEachElement({
    elements,
    act: ({ id, filename }) => moveTo(folder, id, filename),
    notDone: texts.notMoved,
    onChanged: () => onChanged(folder),
    onDone,
  });
  return (
    <AppDialog
      title={texts.moveTitle(isBusy ? all.length : remaining.length)}
      action={texts.move}
      isBusy={isBusy}
      failure={failure}
      onAction={run}
      onClose={onClose}
    >
      <FolderChooser path={folder} isDisabled={isBusy} onChoose={setFolder} />
      <ElementOutcomes elements={all} outcomes={outcomes} isBusy={isBusy} done={texts.moved} />
    </AppDialog>
  );
}

async function moveTo(folder: string, id: string, name: string): Promise<void> {
  const target = inFolder(folder, name);
  if (target === id) throw new Error(texts.movedNowhere);
  await moveElement(id, target);
}
