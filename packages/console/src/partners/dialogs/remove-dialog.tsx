import type { FileElement } from '@waybill/contracts/endpoints/files/elements/file-element';
import { AppDialog } from '../../page-kit/components/dialog.tsx';
import { removeElement } from '../api/elements.ts';
import { texts } from '../texts.ts';
import { ElementOutcomes } from './element-outcomes.tsx';
import { useEachElement } from './use-each-element.ts';

interface RemoveDialogProps {
  readonly elements: readonly FileElement[];
  /** Some elements were deleted. */
  readonly onChanged: () => void;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks before elements are deleted, and shows each that could not be. */
export function RemoveDialog({ elements, onChanged, onDone, onClose }: RemoveDialogProps) {
  const { all, remaining, outcomes, isBusy, failure, run } = useEachElement({
    elements,
    act: removeElement,
    notDone: texts.notRemoved,
    onChanged,
    onDone,
  });
  return (
    <AppDialog
      title={texts.removeTitle(isBusy ? all.length : remaining.length)}
      action={texts.remove}
      isBusy={isBusy}
      failure={failure}
      isDangerous
      onAction={run}
      onClose={onClose}
    >
      <p>{texts.removeWarning(all.some(({ directory }) => directory))}</p>
      <ElementOutcomes elements={all} outcomes={outcomes} isBusy={isBusy} done={texts.removed} />
    </AppDialog>
  );
}
