import type { FileElement } from '@waybill/contracts/endpoints/files/elements/file-element';
import { useState } from 'react';
import { AppDialog } from '../../page-kit/components/dialog.tsx';
import { messages } from '../../page-kit/messages/messages.ts';
import { useAction } from '../../page-kit/use-action.ts';
import { removeElement } from '../api/elements.ts';

interface RemoveDialogProps {
  readonly elements: readonly FileElement[];
  /** Some elements were deleted. */
  readonly onChanged: () => void;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks before elements are deleted, and shows each that could not be. */
export function RemoveDialog({ elements, onChanged, onDone, onClose }: RemoveDialogProps) {
  const [failures, setFailures] = useState<ReadonlyMap<string, string>>(new Map());
  const [remaining, setRemaining] = useState(elements);
  const removeAll = async (): Promise<void> => {
    const failed = new Map<string, string>();
    const kept: FileElement[] = [];
    for (const element of remaining) {
      try {
        await removeElement(element);
      } catch (error) {
        failed.set(element.filename, error instanceof Error ? error.message : String(error));
        kept.push(element);
      }
    }
    setFailures(failed);
    setRemaining(kept);
    onChanged();
    if (kept.length > 0) throw new Error(messages.notRemoved(kept.length));
  };
  const { isBusy, failure, run } = useAction(removeAll, onDone);
  return (
    <AppDialog
      title={messages.removeTitle(remaining.length)}
      action={messages.remove}
      isBusy={isBusy}
      failure={failure}
      isDangerous
      onAction={run}
      onClose={onClose}
    >
      <p>{messages.removeWarning}</p>
      <ul className="names">
        {remaining.slice(0, 100).map(({ id, filename }) => (
          <li key={id}>
            <bdi>{filename}</bdi>
            {failures.has(filename) && <span className="failure"> {failures.get(filename)}</span>}
          </li>
        ))}
      </ul>
    </AppDialog>
  );
}
