import { followValue, type Follower } from '@waybill/service-kit/follow-value';
import type { KeyEvents } from './key-events.ts';
import { keysOf, type KeySet, type NamedKey } from './key-set.ts';
import type { KeyStore } from './key-store.ts';
import { loadKeySet } from './load-key-set.ts';

/** The options of `followKeySet`. */
export interface KeyFollowing<K extends NamedKey, P extends K> {
  /** How often the files are read. */
  readonly intervalMs: number;
  readonly events: KeyEvents;
  /** Runs before keys are used. After a rejection the previous keys stay in use until the next check. */
  take?(keys: KeySet<K, P>): Promise<void>;
}

/**
 * The keys of a store, now and whenever its files change. If changed files are invalid, the previous keys stay in use.
 * @throws CodedError `configuration_invalid` if the files are invalid at the start
 */
export function followKeySet<K extends NamedKey, P extends K>(
  store: KeyStore<K, P>,
  { intervalMs, events, take }: KeyFollowing<K, P>,
): Promise<Follower<KeySet<K, P>>> {
  return followValue({
    read: () => loadKeySet(store),
    isSame: (a, b) => rolesOf(a) === rolesOf(b),
    use: async (keys) => {
      await take?.(keys);
      events.used(store.purpose, keys);
    },
    refused: (error) => events.refused(store.purpose, error),
    intervalMs,
  });
}

function rolesOf<K extends NamedKey, P extends K>(keys: KeySet<K, P>): string {
  return keysOf(keys)
    .map(({ role, key }) => `${role} ${key.kid}`)
    .join('\n');
}
