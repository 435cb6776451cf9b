import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { followJobs } from './follow-jobs.ts';

/** Changes that arrive within this time are shown together. */
const gatherMs = 250;

/** How often lists are read while changes are not reported, and while they are. */
const refreshEveryMs = { alone: 1_500, live: 20_000 } as const;

/**
 * Reads what pages show of jobs again when jobs change: all queries whose key begins with `jobs`. Returns how often these must
 * be read in any case, in milliseconds. A tab in the background follows nothing: a browser has six connections to a server.
 */
export function useLiveJobs(): number {
  const client = useQueryClient();
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    let stop: AbortController | undefined;
    let [isReading, isOutdated] = [false, false];
    // One after the other: in a storm of changes, each would otherwise cancel the last before it has an answer.
    const refresh = async (): Promise<void> => {
      isOutdated = true;
      if (isReading) return;
      isReading = true;
      while (isOutdated) {
        await new Promise((resolve) => setTimeout(resolve, gatherMs));
        isOutdated = false;
        await client.invalidateQueries({ queryKey: ['jobs'] });
      }
      isReading = false;
    };
    const onReady = (): void => {
      setLive(true);
      void refresh();
    };
    const follow = (): void => {
      stop?.abort();
      stop = undefined;
      if (document.visibilityState !== 'visible') return;
      stop = new AbortController();
      void followJobs({ onReady, onChange: () => void refresh(), onEnd: () => setLive(false) }, stop.signal);
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      stop?.abort();
      document.removeEventListener('visibilitychange', follow);
    };
  }, [client]);
  return isLive ? refreshEveryMs.live : refreshEveryMs.alone;
}
