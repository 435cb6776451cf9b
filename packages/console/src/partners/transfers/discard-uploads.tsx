import { Button } from 'react-aria-components';
import { AppDialog } from '../../page-kit/components/dialog.tsx';
import { type KeptDialogState, useKeptDialog } from '../../page-kit/components/kept-dialogs.tsx';
import { useStore } from '../../page-kit/create-store.ts';
import { formatBytes } from '../../page-kit/format/format-bytes.ts';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { texts } from '../texts.ts';
import { discardTransfers } from './transfer-queue.ts';
import { transfers } from './transfer-store.ts';
import type { Transfer } from './transfer.ts';

/** Takes one upload off the list. */
export function DiscardButton({ transfer: { id, name } }: { readonly transfer: Transfer }) {
  const discard = useDiscard();
  return (
    <Button className="button" onPress={() => discard([id])} aria-label={`${texts.discard}: ${name}`}>
      ✕
    </Button>
  );
}

/** Takes uploads off the list, and asks before if something of them has arrived, which the server then deletes. */
export function useDiscard(): (ids: readonly string[]) => void {
  const open = useKeptDialog();
  return (ids) => {
    if (bytesOf(transfers.get(), ids) === 0) discardTransfers(ids);
    else open((state) => <DiscardDialog ids={ids} {...state} />);
  };
}

/** What has arrived of unfinished uploads. */
function bytesOf(all: readonly Transfer[], ids: readonly string[]): number {
  return unfinished(all, ids).reduce((sum, { sentBytes }) => sum + sentBytes, 0);
}

function unfinished(all: readonly Transfer[], ids: readonly string[]): Transfer[] {
  return all.filter(({ id, state }) => state !== 'stored' && ids.includes(id));
}

interface DiscardDialogProps extends KeptDialogState {
  readonly ids: readonly string[];
}

/** The uploads go on meanwhile: what has been stored is not in question any more. */
function DiscardDialog({ ids, onClose }: DiscardDialogProps) {
  const all = useStore(transfers);
  const left = unfinished(all, ids);
  const discard = (): void => {
    discardTransfers(left.map(({ id }) => id));
    onClose();
  };
  return (
    <AppDialog
      title={texts.discardTitle}
      action={texts.discardAction}
      isBusy={false}
      failure={undefined}
      isDangerous
      isOutdated={left.length === 0}
      outdated={texts.discardLate}
      onAction={discard}
      onClose={onClose}
    >
      <ul className="names">
        {left.slice(0, namesAtMost).map(({ id, name }) => (
          <li key={id}>
            <OutsideText text={name} />
          </li>
        ))}
      </ul>
      {left.length > namesAtMost && <p>{texts.transfersHidden(left.length - namesAtMost)}</p>}
      <p>{texts.discardWarning(formatBytes(bytesOf(all, ids)))}</p>
    </AppDialog>
  );
}

const namesAtMost = 200;
