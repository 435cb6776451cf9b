import { memo, useDeferredValue, useId, useState } from 'react';
import { Button } from 'react-aria-components';
import { DialogRoom } from '../../page-kit/components/kept-dialogs.tsx';
import { useStore } from '../../page-kit/create-store.ts';
import { texts } from '../texts.ts';
import { describeProgress } from './describe-progress.ts';
import { useDiscard } from './discard-uploads.tsx';
import { continueFromHandles, retryTransfers } from './interrupted-transfers.ts';
import { discardTransfers, pauseTransfers, resumeTransfers } from './transfer-queue.ts';
import { TransferRow } from './transfer-row.tsx';
import { bytesIn, countIn, placeOf, transfersIn, transfersVersion } from './transfer-store.ts';
import type { Transfer, TransferState } from './transfer.ts';

/** How many transfers are in the page. */
const shownAtMost = 200;

/** Which transfers come first: those that run, and then those that wait for their user. */
const ranks = [['running', 'paused'], ['failed', 'interrupted'], ['waiting', 'elsewhere'], ['stored']] as const;

/** The uploads of this browser, with what each of them needs from its user. */
export function TransferPanel() {
  useStore(transfersVersion);
  if (countIn(...ranks.flat()) === 0) return null;
  return (
    <DialogRoom>
      <Uploads />
    </DialogRoom>
  );
}

function Uploads() {
  // The rows are rendered in parts: hundreds of new ones do not stop the page.
  const version = useDeferredValue(useStore(transfersVersion), 0);
  const [isFolded, setFolded] = useState(false);
  const discard = useDiscard();
  const list = useId();
  return (
    <section className="transfers" aria-label={texts.transfers}>
      <header>
        <h2>{texts.transfers}</h2>
        <span role="status">{texts.transfersSummary(countIn('stored'), countIn(...ranks.flat()))}</span>
        <QueueProgress />
        <Button
          className="button"
          aria-expanded={!isFolded}
          {...(!isFolded && { 'aria-controls': list })}
          onPress={() => setFolded(!isFolded)}
        >
          {isFolded ? texts.showTransfers : texts.hideTransfers}
        </Button>
        {groupsOf(discard).map(({ label, some, act }) => (
          <Button key={label} className="button" onPress={() => act(Array.from(some, ({ id }) => id))}>
            {label}
          </Button>
        ))}
      </header>
      {!isFolded && <UploadList id={list} version={version} />}
    </section>
  );
}

/** How far the uploads that run or wait have got together, how fast they are, and how long they take. */
function QueueProgress() {
  if (countIn('running', 'waiting') === 0) return null;
  const queue = bytesIn('running', 'waiting', 'paused', 'stored');
  const left = bytesIn('running', 'waiting');
  const share = queue.size === 0 ? 1 : queue.sent / queue.size;
  const speed = [...transfersIn('running')].reduce((sum, { bytesPerSecond }) => sum + bytesPerSecond, 0);
  return (
    <span className="queue-progress">
      <progress aria-label={texts.allTransfers} max={1} value={share} />{' '}
      {describeProgress(share, left.size - left.sent, speed)}
    </span>
  );
}

/** The rows, as they are in a version of the list; 0 is an empty one. */
const UploadList = memo(function UploadList({ id, version }: { readonly id: string; readonly version: number }) {
  if (version === 0) return <div id={id} />;
  const shown = firstTransfers();
  const hidden = countIn(...ranks.flat()) - shown.length;
  const toChoose = [...transfersIn('interrupted')].filter(({ hasHandle }) => hasHandle !== true);
  return (
    <div id={id}>
      {toChoose.length > 1 && <p className="hint">{texts.chooseAllAgain}</p>}
      {hidden > 0 && <p className="hint">{texts.transfersHidden(hidden)}</p>}
      <ul>
        {shown.map((transfer) => (
          <TransferRow key={transfer.id} transfer={transfer} />
        ))}
      </ul>
    </div>
  );
});

/** Those that are shown: of each rank in the order in which they were added. There may be many more. */
function firstTransfers(): Transfer[] {
  const shown: Transfer[] = [];
  for (const states of ranks) {
    const some: Transfer[] = [];
    for (const transfer of transfersIn(...states)) {
      if (shown.length + some.length === shownAtMost) break;
      some.push(transfer);
    }
    shown.push(...some.toSorted((one, other) => placeOf(one) - placeOf(other)));
  }
  return shown;
}

/** What a user can do with several transfers at once. */
interface TransferGroup {
  readonly label: string;
  readonly some: Iterable<Transfer>;
  readonly act: (ids: readonly string[]) => void;
}

/** Those that there are; what the button of a row does as well needs at least two of them. */
function groupsOf(discard: TransferGroup['act']): TransferGroup[] {
  const begun: readonly TransferState[] = ['running', 'waiting', 'elsewhere', 'paused'];
  const unfinished: readonly TransferState[] = countIn(...begun) > 1 ? [...begun, 'failed', 'interrupted'] : [];
  const any: readonly (readonly [label: string, states: readonly TransferState[], act: TransferGroup['act']])[] = [
    [texts.pauseAll, ['running', 'waiting', 'elsewhere'], pauseTransfers],
    [texts.resumeAll, ['paused'], (ids) => resumeTransfers(ids)],
    [texts.discardUnfinished, unfinished, discard],
    [texts.clearStored, ['stored'], discardTransfers],
  ];
  const interrupted = [...transfersIn('interrupted')];
  const failed = [...transfersIn('failed')];
  const isTaken = ({ failure }: Transfer): boolean => failure?.isTaken === true;
  const several: readonly (readonly [
    labelOf: (count: number) => string,
    some: readonly Transfer[],
    act: TransferGroup['act'],
  ])[] = [
    [texts.continueAll, interrupted.filter(({ hasHandle }) => hasHandle === true), continueFromHandles],
    [texts.retryAll, failed.filter((transfer) => !isTaken(transfer)), (ids) => retryTransfers(ids)],
    [texts.replaceAll, failed.filter(isTaken), (ids) => retryTransfers(ids, { overwrites: true })],
    [texts.discardAll, [...failed, ...interrupted], discard],
  ];
  return [
    ...any
      .filter(([, states]) => countIn(...states) > 0)
      .map(([label, states, act]) => ({ label, some: transfersIn(...states), act })),
    ...several
      .filter(([, some]) => some.length > 1)
      .map(([labelOf, some, act]) => ({ label: labelOf(some.length), some, act })),
  ];
}
