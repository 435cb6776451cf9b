import { Button } from 'react-aria-components';
import { AppDialog } from '../../page-kit/components/dialog.tsx';
import { type KeptDialogState, useKeptDialog } from '../../page-kit/components/kept-dialogs.tsx';
import { useStore } from '../../page-kit/create-store.ts';
import { formatBytes } from '../../page-kit/format/format-bytes.ts';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { texts } from '../texts.ts';
import { discardTransfers } from './transfer-queue.ts';
import { findTransfer, transfersVersion } from './transfer-store.ts';
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
    if (bytesOf(unfinished(ids)) === 0) discardTransfers(ids);
    else open((state) => <DiscardDialog ids={ids} {...state} />);
  };
}

/** What has arrived of transfers. */
function bytesOf(some: readonly Transfer[]): number {
  return some.reduce((sum, { sentBytes }) => sum + sentBytes, 0);
}

function unfinished(ids: readonly string[]): Transfer[] {
  return ids.flatMap((id) => findTransfer(id) ?? []).filter(({ state }) => state !== 'stored');
}

interface DiscardDialogProps extends KeptDialogState {
  readonly ids: readonly string[];
}

/** The uploads go on meanwhile: what has been stored is not in question any more. */
function DiscardDialog({ ids, onClose }: DiscardDialogProps) {
  useStore(transfersVersion);
  const left = unfinished(ids);
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
      <p>{texts.discardWarning(formatBytes(bytesOf(left)))}</p>
    </AppDialog>
  );
}

const namesAtMost = 200;
