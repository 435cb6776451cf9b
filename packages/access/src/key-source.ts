import type { KeyObject } from 'node:crypto';
import { keysOf, type KeysInForce } from '@waybill/signing-keys/key-set';
import type { VerificationKey } from './signing-key.ts';

/** Where a verifier finds public keys. */
export interface KeySource {
  /**
   * The key with this id; `undefined` if no issuer has it.
   * @throws CodedError `service_unavailable` if the key is unknown and no issuer can be reached
   */
  find(kid: string): Promise<KeyObject | undefined>;
}

/** How often unknown key ids may cause the files to be read. */
const leastReadMs = 1_000;

/**
 * For the process that signs: its own keys, without a request. An unknown key id causes the key files to be read
 * again, because another process may sign with a key that was just added.
 */
export function ownKeySource(keys: KeysInForce<VerificationKey>): KeySource {
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  const lookUp = (kid: string) => keysOf(keys.current).find(({ key }) => key.kid === kid)?.key.publicKey;
  return {
    find: async (kid) => {
      const known = lookUp(kid);
      if (known !== undefined) return known;
      if (performance.now() - readAt > leastReadMs) {
        readAt = performance.now();
        reading = keys.look?.();
      }
      await reading;
      return lookUp(kid);
    },
  };
}
