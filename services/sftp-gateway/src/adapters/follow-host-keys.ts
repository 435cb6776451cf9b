import { followKeySet } from '@waybill/signing-keys/follow-key-set';
import type { KeyEvents } from '@waybill/signing-keys/key-events';
import { keysOf, type KeySet } from '@waybill/signing-keys/key-set';
import { loadKeySet } from '@waybill/signing-keys/load-key-set';
import type { HostKeyKind } from '../config.ts';
import type { HostKey } from '../sftp/server/host-key.ts';
import { hostKeyStore, type StoredHostKey } from './host-key-store.ts';

/** The present keys of the server. */
export interface FollowedHostKeys extends AsyncDisposable {
  /** The same array while nothing changes. */
  current(): readonly HostKey[];
}

/**
 * The server's keys of these kinds in a folder; missing ones are created. All gateways of a cluster have the same: if
 * two start at once, both use the key that was stored first.
 * @throws CodedError `configuration_invalid` if one cannot be used
 */
export async function loadHostKeys(folder: string, kinds: readonly HostKeyKind[]): Promise<HostKey[]> {
  const sets = await Promise.all(kinds.map((kind) => loadKeySet(hostKeyStore(folder, kind))));
  return sets.flatMap(hostKeysOf);
}

/** The same, and their later changes. */
export async function followHostKeys(
  folder: string,
  kinds: readonly HostKeyKind[],
  following: { readonly intervalMs: number; readonly events: KeyEvents },
): Promise<FollowedHostKeys> {
  await using starting = new AsyncDisposableStack();
  const followers = await Promise.all(
    kinds.map(async (kind) => starting.use(await followKeySet(hostKeyStore(folder, kind), following))),
  );
  const started = starting.move();
  let known: { readonly sets: readonly KeySet<StoredHostKey>[]; readonly keys: readonly HostKey[] } | undefined;
  return {
    current: () => {
      const sets = followers.map((follower) => follower.current);
      if (known === undefined || known.sets.some((set, index) => set !== sets[index])) {
        known = { sets, keys: sets.flatMap(hostKeysOf) };
      }
      return known.keys;
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

function hostKeysOf(set: KeySet<StoredHostKey>): HostKey[] {
  return keysOf(set).map(({ role, key }) => ({ ...key, role }));
}
