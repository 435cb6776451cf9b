import { Button } from 'react-aria-components';
import { useStore } from '../../page-kit/create-store.ts';
import { messages } from '../../page-kit/messages/messages.ts';
import { discardTransfer, pauseTransfer, resumeTransfer, transfers } from './transfer-queue.ts';
import { TransferRow } from './transfer-row.tsx';

/** How many transfers are in the page: the unfinished ones come first. */
const shownAtMost = 200;

/** The uploads of this browser, with what each of them needs from its user. */
export function TransferPanel() {
  const all = useStore(transfers);
  if (all.length === 0) return null;
  const stored = all.filter(({ state }) => state === 'stored');
  const active = all.filter(({ state }) => state === 'waiting' || state === 'running');
  const paused = all.filter(({ state }) => state === 'paused');
  const shown = [...all.filter(({ state }) => state !== 'stored'), ...stored].slice(0, shownAtMost);
  return (
    <section className="transfers" aria-label={messages.transfers}>
      <header>
        <h2>{messages.transfers}</h2>
        <span role="status">{messages.transfersSummary(stored.length, all.length)}</span>
        {active.length > 0 && (
          <Button className="button" onPress={() => active.forEach(({ id }) => pauseTransfer(id))}>
            {messages.pauseAll}
          </Button>
        )}
        {paused.length > 0 && (
          <Button className="button" onPress={() => paused.forEach(({ id }) => resumeTransfer(id))}>
            {messages.resumeAll}
          </Button>
        )}
        {stored.length > 0 && (
          <Button className="button" onPress={() => stored.forEach(({ id }) => discardTransfer(id))}>
            {messages.clearStored}
          </Button>
        )}
      </header>
      <ul>
        {shown.map((transfer) => (
          <TransferRow key={transfer.id} transfer={transfer} />
        ))}
      </ul>
    </section>
  );
}
