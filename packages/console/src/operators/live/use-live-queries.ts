import { useQueryClient } from '@tanstack/react-query';
import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import { useEffect } from 'react';
import { followTogether } from './follow-together.ts';

/** Changes that arrive within this time are shown together. */
const gatherMs = 250;

/** How often lists are read while changes are not reported, and while they are, in milliseconds. */
export const refreshEveryMs = { alone: 1_500, live: 20_000 } as const;

/** What is followed. The object stays the same while a component is shown. */
export interface LiveQueries {
  readonly endpoint: EndpointContract;
  /** What is read again after a change: queries whose key begins with one of these words. */
  readonly keys: readonly string[];
  /** Called when it changes whether changes are reported. */
  setLive(isLive: boolean): void;
}

/**
 * Reads what pages show again when it changes, while a component is shown. A tab in the background follows nothing.
 */
export function useLiveQueries({ endpoint, keys, setLive }: LiveQueries, isAllowed: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!isAllowed) return undefined;
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
        await Promise.all(keys.map((key) => client.invalidateQueries({ queryKey: [key] })));
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
      const follower = { onReady, onChange: () => void refresh(), onEnd: () => setLive(false) };
      void followTogether(endpoint, follower, stop.signal);
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      stop?.abort();
      document.removeEventListener('visibilitychange', follow);
    };
  }, [client, endpoint, keys, setLive, isAllowed]);
}
