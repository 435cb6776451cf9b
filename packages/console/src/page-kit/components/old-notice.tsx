import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { formatExactTime } from '../format/format-time.ts';
import { serverTime } from '../format/server-clock.ts';
import { OutsideText } from '../outside-text/outside-text.tsx';
import { texts } from '../texts.ts';
import { type OldReading, oldestReading } from './oldest-reading.ts';

/** What lasts shorter is not said, in milliseconds: a single request that fails, or a single one that succeeds. */
const settleMs = 1_500;

/** After a loss of the network, what the page shows is read once more after this time, in milliseconds. */
const againMs = 2_000;

/**
 * Says that what the page shows is old, since when, and why, as long as some of it cannot be read again. A screen reader says it
 * once, also when the reason or the time changes.
 */
export function OldNotice({ isRefused }: { readonly isRefused: (error: Error) => boolean }) {
  const client = useQueryClient();
  const [old, setOld] = useState<OldReading>();
  useEffect(() => followOldReading(client, isRefused, setOld), [client, isRefused]);
  useEffect(() => readWhenOffline(client), [client]);
  return (
    <div className="old-notice" role="status">
      {old !== undefined && (
        <p>
          <strong>{texts.notUpToDate}</strong>{' '}
          <span aria-live="off">
            <OutsideText text={texts.readLastAt(formatExactTime(serverTime(old.readAtMs)), old.reason)} />
          </span>
        </p>
      )}
    </div>
  );
}

/** Tells what is old, and undefined when nothing is, once this has settled. Returns what ends it. */
function followOldReading(
  client: QueryClient,
  isRefused: (error: Error) => boolean,
  tell: (old: OldReading | undefined) => void,
): () => void {
  const cache = client.getQueryCache();
  let told: OldReading | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const find = (): OldReading | undefined => oldestReading(cache.getAll(), isRefused);
  const settle = (): void => {
    timer = undefined;
    told = find();
    tell(told);
  };
  const look = (): void => {
    const found = find();
    if ((found === undefined) !== (told === undefined)) {
      timer ??= setTimeout(settle, settleMs);
      return;
    }
    clearTimeout(timer);
    timer = undefined;
    if (found?.readAtMs === told?.readAtMs && found?.reason === told?.reason) return;
    told = found;
    tell(told);
  };
  const stop = cache.subscribe(() => queueMicrotask(look));
  return () => {
    stop();
    clearTimeout(timer);
  };
}

/**
 * Reads what the page shows again when the browser loses its network, and once more: it fails, and the page says so. Requests may
 * still succeed in the moment of the loss. Returns what ends it.
 */
function readWhenOffline(client: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const read = (): void => void client.refetchQueries({ type: 'active', stale: true });
  const readTwice = (): void => {
    read();
    clearTimeout(timer);
    timer = setTimeout(read, againMs);
  };
  addEventListener('offline', readTwice);
  return () => {
    clearTimeout(timer);
    removeEventListener('offline', readTwice);
  };
}
