import { type QueryCache, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { formatExactTime } from '../format/format-time.ts';
import { serverTime } from '../format/server-clock.ts';
import { texts } from '../texts.ts';

/**
 * Says that what the page shows is old, since when, and why, as long as some of it cannot be read again. Refusals say so themselves,
 * where they happen.
 */
export function OldNotice({ isRefused }: { readonly isRefused: (error: Error) => boolean }) {
  const cache = useQueryClient().getQueryCache();
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache]);
  const notice = useSyncExternalStore(subscribe, () => noticeOf(cache, isRefused));
  return (
    <div className="old-notice" role="status">
      {notice !== undefined && <p>{notice}</p>}
    </div>
  );
}

function noticeOf(cache: QueryCache, isRefused: (error: Error) => boolean): string | undefined {
  let oldest = Infinity;
  let reason = '';
  for (const query of cache.getAll()) {
    const { data, error, dataUpdatedAt } = query.state;
    if (data === undefined || error === null || isRefused(error) || !query.isActive()) continue;
    if (dataUpdatedAt >= oldest) continue;
    oldest = dataUpdatedAt;
    reason = error.message;
  }
  return oldest === Infinity ? undefined : texts.notUpToDate(formatExactTime(serverTime(oldest)), reason);
}
