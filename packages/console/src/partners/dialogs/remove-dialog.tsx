import type { FileElement } from '@waybill/contracts/endpoints/files/elements/file-element';
import { AppDialog } from '../../page-kit/components/dialog.tsx';
import { messages } from '../../page-kit/messages/messages.ts';
import { removeElement } from '../api/elements.ts';
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
    notDone: messages.notRemoved,
    onChanged,
    onDone,
  });
  return (
    <AppDialog
      title={messages.removeTitle(isBusy ? all.length : remaining.length)}
      action={messages.remove}
      isBusy={isBusy}
      failure={failure}
      isDangerous
      onAction={run}
      onClose={onClose}
    >
      <p>{messages.removeWarning}</p>
      <ElementOutcomes elements={all} outcomes={outcomes} isBusy={isBusy} done={messages.removed} />
    </AppDialog>
  );
}
