import { useId, useState } from 'react';
import { Button } from 'react-aria-components';
import { DialogRoom } from '../../page-kit/components/kept-dialogs.tsx';
import { useStore } from '../../page-kit/create-store.ts';
import { texts } from '../texts.ts';
import { describeProgress } from './describe-progress.ts';
import { useDiscard } from './discard-uploads.tsx';
import { continueFromHandles, retryTransfers } from './interrupted-transfers.ts';
import { discardTransfers, pauseTransfers, resumeTransfers } from './transfer-queue.ts';
import { TransferRow } from './transfer-row.tsx';
import { transfers } from './transfer-store.ts';
import type { Transfer } from './transfer.ts';

/** How many transfers are in the page. */
const shownAtMost = 200;

/** Which transfers come first: those that run, and then those that wait for their user. */
const ranks = { running: 0, paused: 0, failed: 1, interrupted: 1, waiting: 2, stored: 3 } as const;

/** The uploads of this browser, with what each of them needs from its user. */
export function TransferPanel() {
  const all = useStore(transfers);
  if (all.length === 0) return null;
  return (
    <DialogRoom>
      <Uploads all={all} />
    </DialogRoom>
  );
}

function Uploads({ all }: { readonly all: readonly Transfer[] }) {
  const [isFolded, setFolded] = useState(false);
  const discard = useDiscard();
  const stored = all.filter(({ state }) => state === 'stored');
  const list = useId();
  return (
    <section className="transfers" aria-label={texts.transfers}>
      <header>
        <h2>{texts.transfers}</h2>
        <span role="status">{texts.transfersSummary(stored.length, all.length)}</span>
        <QueueProgress all={all} />
        <Button
          className="button"
          aria-expanded={!isFolded}
          {...(!isFolded && { 'aria-controls': list })}
          onPress={() => setFolded(!isFolded)}
        >
          {isFolded ? texts.showTransfers : texts.hideTransfers}
        </Button>
        {groupsOf(all, discard).map(({ label, ids, act }) => (
          <Button key={label} className="button" onPress={() => act(ids)}>
            {label}
          </Button>
        ))}
      </header>
      {!isFolded && <UploadList id={list} all={all} />}
    </section>
  );
}

/** How far the uploads that run or wait have got together, how fast they are, and how long they take. */
function QueueProgress({ all }: { readonly all: readonly Transfer[] }) {
  const queue = all.filter(({ state }) => state !== 'failed' && state !== 'interrupted');
  const running = queue.filter(({ state }) => state === 'running' || state === 'waiting');
  if (running.length === 0) return null;
  const sum = (of: readonly Transfer[], valueOf: (transfer: Transfer) => number): number =>
    of.reduce((total, transfer) => total + valueOf(transfer), 0);
  const size = sum(queue, (transfer) => transfer.size);
  const share = size === 0 ? 1 : sum(queue, ({ sentBytes }) => sentBytes) / size;
  const left = sum(running, (transfer) => transfer.size - transfer.sentBytes);
  return (
    <span className="queue-progress">
      <progress aria-label={texts.allTransfers} max={1} value={share} />{' '}
      {describeProgress(
        share,
        left,
        sum(running, ({ bytesPerSecond }) => bytesPerSecond),
      )}
    </span>
  );
}

function UploadList({ id, all }: { readonly id: string; readonly all: readonly Transfer[] }) {
  const shown = all.toSorted((one, other) => ranks[one.state] - ranks[other.state]).slice(0, shownAtMost);
  const toChoose = all.filter(({ state, hasHandle }) => state === 'interrupted' && hasHandle !== true);
  return (
    <div id={id}>
      {toChoose.length > 1 && <p className="hint">{texts.chooseAllAgain}</p>}
      {all.length > shown.length && <p className="hint">{texts.transfersHidden(all.length - shown.length)}</p>}
      <ul>
        {shown.map((transfer) => (
          <TransferRow key={transfer.id} transfer={transfer} />
        ))}
      </ul>
    </div>
  );
}

/** What a user can do with several transfers at once. */
interface TransferGroup {
  readonly label: string;
  readonly ids: readonly string[];
  readonly act: (ids: readonly string[]) => void;
}

/** Those that there are; what the button of a row does as well needs at least two of them. */
function groupsOf(all: readonly Transfer[], discard: TransferGroup['act']): TransferGroup[] {
  const idsOf = (isMember: (transfer: Transfer) => boolean): string[] => all.filter(isMember).map(({ id }) => id);
  const stateIs = (...states: readonly Transfer['state'][]): string[] => idsOf(({ state }) => states.includes(state));
  const toAllow = idsOf(({ state, hasHandle }) => state === 'interrupted' && hasHandle === true);
  const taken = idsOf(({ state, failure }) => state === 'failed' && failure?.isTaken === true);
  const failed = idsOf(({ state, failure }) => state === 'failed' && failure?.isTaken !== true);
  const left = stateIs('failed', 'interrupted');
  const several: TransferGroup[] = [
    { label: texts.continueAll(toAllow.length), ids: toAllow, act: (ids) => void continueFromHandles(ids) },
    { label: texts.retryAll(failed.length), ids: failed, act: (ids) => void retryTransfers(ids) },
    {
      label: texts.replaceAll(taken.length),
      ids: taken,
      act: (ids) => void retryTransfers(ids, { overwrites: true }),
    },
    { label: texts.discardAll(left.length), ids: left, act: discard },
  ];
  const any: TransferGroup[] = [
    { label: texts.pauseAll, ids: stateIs('waiting', 'running'), act: pauseTransfers },
    { label: texts.resumeAll, ids: stateIs('paused'), act: (ids) => resumeTransfers(ids) },
    { label: texts.clearStored, ids: stateIs('stored'), act: discardTransfers },
  ];
  return [...any.filter(({ ids }) => ids.length > 0), ...several.filter(({ ids }) => ids.length > 1)];
}
