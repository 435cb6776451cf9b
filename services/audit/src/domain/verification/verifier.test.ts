import { describe, expect, it } from 'vitest';
import { createTrustedKeys } from '../keys/trusted-keys.ts';
import { createVerifier } from './verifier.ts';
import type { SnapshotSource } from './verify-log.ts';

/** A source that returns when its gate opens, or when the signal fires. */
function createGatedVerifier() {
  let reads = 0;
  const gate = Promise.withResolvers<void>();
  const source: SnapshotSource = {
    read: async (use, signal) => {
      reads += 1;
      const aborted = Promise.withResolvers<never>();
      signal.addEventListener('abort', () => aborted.reject(signal.reason as Error));
      await Promise.race([gate.promise, aborted.promise]);
      return use({ head: undefined, keys: [], records: noRecords(), hashes: { read: async () => [] } });
    },
  };
  const outcomes: boolean[] = [];
  const verifier = createVerifier({
    source,
    keys: { trusted: createTrustedKeys([]) },
    memory: { read: () => Promise.resolve(undefined) },
    onOutcome: ({ intact }) => outcomes.push(intact),
  });
  return { verifier, outcomes, open: gate.resolve, reads: () => reads };
}

async function* noRecords(): AsyncGenerator<never> {}

describe('the verifier', () => {
  it('reads the audit log once for all concurrent callers, and again for later ones', async () => {
    const { verifier, outcomes, open, reads } = createGatedVerifier();
    const asked = [verifier.verify(), verifier.verify(), verifier.verify()];
    open();
    const [first, ...others] = await Promise.all(asked);
    expect(first).toMatchObject({ intact: true, records: 0 });
    for (const other of others) expect(other).toBe(first);
    expect([reads(), outcomes]).toEqual([1, [true]]);
    await verifier.verify();
    expect(reads()).toBe(2);
  });

  it('gives up when it is disposed of', async () => {
    const { verifier } = createGatedVerifier();
    const asked = Promise.allSettled([verifier.verify()]);
    await verifier[Symbol.asyncDispose]();
    const [outcome] = await asked;
    expect(outcome).toMatchObject({ status: 'rejected', reason: new Error('The service is stopping') });
  });
});
