import { utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import type { NamedKey } from '@waybill/signing-keys/key-set';
import type { KeyStore } from '@waybill/signing-keys/key-store';
import { loadKeySet } from '@waybill/signing-keys/load-key-set';
import { activateKey, addKey } from '@waybill/signing-keys/rotate-keys';
import { createRotationPlan } from '@waybill/signing-keys/rotation-plan';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ed25519Store } from './ed25519-store.ts';

let folder: Awaited<ReturnType<typeof createTestFolder>>;
let store: KeyStore<NamedKey>;
let first: NamedKey;
const metrics = createMetrics('test');

beforeEach(async () => {
  folder = await createTestFolder();
  store = ed25519Store(path.join(folder.path, 'test.pem'));
  first = (await loadKeySet(store)).active;
});
afterEach(() => folder.remove());

describe('the plan of a rotation', () => {
  it('counts from the time at which the active key was written, and begins again with the next key', async () => {
    const written = new Date('2025-01-01T00:00:00Z');
    await utimes(store.file, written, written);
    const read = createRotationPlan({ stores: [store], days: 365, metrics });
    const dueAt = new Date('2026-01-01T00:00:00Z');
    expect(await read()).toEqual([{ purpose: 'tests', kid: first.kid, dueAt }]);
    expect(await metrics.text()).toMatch(
      /waybill_signing_key_rotation_timestamp_seconds\{[^}]*purpose="tests"[^}]*\} 1767225600\n/u,
    );
    const second = await addKey(store);
    expect(await read()).toMatchObject([{ kid: first.kid }]);
    await activateKey(store, { leastAgeMs: 0 });
    const [rotation] = await read();
    expect(rotation?.kid).toBe(second.kid);
    expect(rotation?.dueAt.getTime()).toBeGreaterThan(Date.now() + 364 * 86_400_000);
  });

  it('keeps what it has read while the file is damaged, and has none without keys or without a plan', async () => {
    const read = createRotationPlan({ stores: [store], days: 30, metrics: createMetrics('test') });
    const [known] = await read();
    await writeFile(store.file, 'no key');
    expect(await read()).toEqual([known]);
    const damaged = createRotationPlan({ stores: [store], days: 30, metrics: createMetrics('test') });
    expect(await damaged()).toEqual([]);
    const missing = ed25519Store(path.join(folder.path, 'missing.pem'));
    const stores = [missing];
    expect(await createRotationPlan({ stores, days: 30, metrics: createMetrics('test') })()).toEqual([]);
    expect(await createRotationPlan({ stores: [store], days: 0, metrics: createMetrics('test') })()).toEqual([]);
  });
});
