import { useQueryClient } from '@tanstack/react-query';
import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import { useEffect } from 'react';
import { useStore } from '../../page-kit/create-store.ts';
import { sessionState } from '../api/session.ts';
import { type ChangeFollower, followChanges } from './follow-changes.ts';
import { followTogether } from './follow-together.ts';

/** Changes that arrive within this time are shown together. */
const gatherMs = 250;

/** Servers know the rights of a user for a second: what is read before that may still be what the rights were. */
const rightsMs = 1_000;

/** How often lists are read while changes are not reported, and while they are, in milliseconds. */
export const refreshEveryMs = { alone: 1_500, live: 20_000 } as const;

const none: readonly string[] = [];

/** What is followed. The object stays the same while a component is shown. */
export interface LiveQueries {
  readonly endpoint: EndpointContract;
  /** What is read again after a change: queries whose key begins with one of these words. */
  readonly keys: readonly string[];
  /** The same of what depends on the rights of the user alone. */
  readonly keysOfRights?: readonly string[];
  /** Called when it changes whether changes are reported. */
  setLive(isLive: boolean): void;
}

/**
 * Reads what pages show again when it changes, while a component is shown and somebody is logged in. A tab in the background follows
 * nothing.
 */
export function useLiveQueries(
  { endpoint, keys, keysOfRights = none, setLive }: LiveQueries,
  isAllowed: boolean,
): void {
  const client = useQueryClient();
  const isFollowing = useStore(sessionState) === 'open' && isAllowed;
  useEffect(() => {
    if (!isFollowing) return undefined;
    // Each on its own: what hangs does not keep the others from being read again.
    const read = (key: string) => client.invalidateQueries({ queryKey: [key] });
    const readLater = (key: string) => wait(rightsMs).then(() => read(key));
    const refreshes = [
      ...keys.map((key) => oneAtATime(() => read(key))),
      ...keysOfRights.map((key) => oneAtATime(() => readLater(key))),
    ];
    const onChange = (): void => {
      for (const refresh of refreshes) void refresh();
    };
    const follower: ChangeFollower = {
      onReady: () => (setLive(true), onChange()),
      onChange,
      onEnd: () => setLive(false),
    };
    const lead = (leader: ChangeFollower, signal: AbortSignal) => followChanges(endpoint, leader, signal);
    let following: AbortController | undefined;
    const stop = (): void => {
      following?.abort();
      setLive(false);
    };
    const follow = (): void => {
      stop();
      if (document.visibilityState !== 'visible') return;
      following = new AbortController();
      void followTogether(endpoint.id, lead, follower, following.signal);
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      stop();
      document.removeEventListener('visibilitychange', follow);
    };
  }, [client, endpoint, keys, keysOfRights, setLive, isFollowing]);
}

/** Gathers what asks for work. One after the other: in a storm of changes, each would otherwise cancel the last before its answer. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let [isRunning, isWanted] = [false, false];
  return async () => {
    isWanted = true;
    if (isRunning) return;
    isRunning = true;
    while (isWanted) {
      await wait(gatherMs);
      isWanted = false;
      await work();
    }
    isRunning = false;
  };
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
