import { describe, expect, it } from 'vitest';
import { createMemoryRecord, someEvents } from '../../../tests/memory-record.ts';
import { createVerifier } from './verifier.ts';
import type { SnapshotSource } from './verify-chain.ts';

/** A source that returns when its gate opens, or when the signal fires. */
async function createGatedVerifier() {
  const record = createMemoryRecord();
  await record.append(someEvents(2));
  let reads = 0;
  const gate = Promise.withResolvers<void>();
  const source: SnapshotSource = {
    read: async (use, signal) => {
      reads += 1;
      const aborted = Promise.withResolvers<never>();
      signal.addEventListener('abort', () => aborted.reject(signal.reason as Error));
      await Promise.race([gate.promise, aborted.promise]);
      return use(record.snapshot());
    },
  };
  const outcomes: boolean[] = [];
  const verifier = createVerifier({
    source,
    trusted: record.trusted,
    onOutcome: ({ intact }) => outcomes.push(intact),
  });
  return { verifier, outcomes, open: gate.resolve, reads: () => reads };
}

describe('the verifier', () => {
  it('reads the audit log once for all concurrent callers, and again for later ones', async () => {
    const { verifier, outcomes, open, reads } = await createGatedVerifier();
    const asked = [verifier.verify(), verifier.verify(), verifier.verify()];
    open();
    const [first, ...others] = await Promise.all(asked);
    expect(first).toMatchObject({ intact: true, records: 2 });
    for (const other of others) expect(other).toBe(first);
    expect([reads(), outcomes]).toEqual([1, [true]]);
    await verifier.verify();
    expect(reads()).toBe(2);
  });

  it('gives up when it is disposed of', async () => {
    const { verifier } = await createGatedVerifier();
    const asked = Promise.allSettled([verifier.verify()]);
    await verifier[Symbol.asyncDispose]();
    const [outcome] = await asked;
    expect(outcome).toMatchObject({ status: 'rejected', reason: new Error('The service is stopping') });
  });
});
