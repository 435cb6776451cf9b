import { describe, expect, it } from 'vitest';
import { createTrustedKeys } from '../keys/trusted-keys.ts';
import type { LogSource } from './log-source.ts';
import { createVerifier } from './verifier.ts';

/** A source that returns when its gate opens, or when the signal fires. */
function createGatedVerifier() {
  let reads = 0;
  const gate = Promise.withResolvers<void>();
  const source: LogSource = {
    readHead: async () => {
      reads += 1;
      await gate.promise;
      return undefined;
    },
    readStart: async () => undefined,
    listKeys: async () => [],
    readEnd: async () => ({ lastSequence: 1, size: 1 }),
    readWaiting: async () => [],
    checkRanges: async function* check(_ranges, signal) {
      signal.throwIfAborted();
      yield* [];
    },
    hashes: { read: async () => [] },
  };
  const outcomes: boolean[] = [];
  const verifier = createVerifier({
    source,
    keys: { trusted: createTrustedKeys([]) },
    anchors: { read: async () => [] },
    memory: { read: () => Promise.resolve(undefined) },
    onOutcome: ({ intact }) => outcomes.push(intact),
  });
  return { verifier, outcomes, open: gate.resolve, reads: () => reads };
}

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
    const { verifier, open } = createGatedVerifier();
    const asked = Promise.allSettled([verifier.verify()]);
    const disposed = verifier[Symbol.asyncDispose]();
    open();
    await disposed;
    const [outcome] = await asked;
    expect(outcome).toMatchObject({ status: 'rejected', reason: new Error('The service is stopping') });
  });
});
