import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { followKeySet } from '@waybill/signing-keys/follow-key-set';
import { createKeyEvents } from '@waybill/signing-keys/key-events';
import { activateKey, addKey } from '@waybill/signing-keys/rotate-keys';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { expect, it } from 'vitest';
import { ed25519Store } from './ed25519-store.ts';

async function follow(take?: () => Promise<void>) {
  const folder = await createTestFolder();
  const store = ed25519Store(path.join(folder.path, 'test.pem'));
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const metrics = createMetrics('test');
  const events = createKeyEvents(createLogger({ service: 'test', level: 'info', destination }), metrics);
  const followed = await followKeySet(store, { intervalMs: 20, events, ...(take && { take }) });
  return {
    store,
    followed,
    lines,
    keyMetrics: async () =>
      (await metrics.text()).split('\n').filter((line) => line.startsWith('waybill_signing_key_')),
    [Symbol.asyncDispose]: async () => {
      await followed[Symbol.asyncDispose]();
      await folder.remove();
    },
  };
}

it('a process follows key changes without a restart, and reports which keys are in force', async () => {
  await using process = await follow();
  const { active: first } = process.followed.current;
  const second = await addKey(process.store);
  await expect.poll(() => process.followed.current.next).toEqual(second);
  await activateKey(process.store, { leastAgeMs: 0 });
  await expect.poll(() => process.followed.current.active).toEqual(second);
  expect(process.followed.current.previous).toEqual([first]);
  expect(await process.keyMetrics()).toEqual([
    `waybill_signing_key_info{purpose="tests",kid="${second.kid}",role="active",service="test"} 1`,
    `waybill_signing_key_info{purpose="tests",kid="${first.kid}",role="previous",service="test"} 1`,
  ]);
  const told = process.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(told.at(-1)).toMatchObject({ active: second.kid, previous: [first.kid], msg: 'using these signing keys' });
  expect(process.lines.join('')).not.toContain('PRIVATE');
});

it('an invalid changed file leaves the previous keys in force, and is reported and counted once', async () => {
  await using process = await follow();
  const { current } = process.followed;
  await writeFile(`${process.store.file}.next`, 'not a key');
  const failures = 'waybill_signing_key_reload_failures_total{purpose="tests",service="test"} 1';
  await expect.poll(process.keyMetrics).toContain(failures);
  for (let look = 0; look < 3; look += 1) await process.followed.look();
  expect(await process.keyMetrics()).toContain(failures);
  expect(process.followed.current).toBe(current);
  expect(process.lines.at(-1)).toContain('TEST_KEY_FILE');
});

it('keys that cannot be taken leave those before in force until they can', async () => {
  let refused = 0;
  let isDown = false;
  await using process = await follow(() => {
    if (!isDown) return Promise.resolve();
    refused += 1;
    return Promise.reject(new Error('the database is away'));
  });
  const { active: first } = process.followed.current;
  isDown = true;
  const second = await addKey(process.store);
  await expect.poll(() => refused).toBeGreaterThan(1);
  expect(process.followed.current).toMatchObject({ active: first, next: undefined });
  isDown = false;
  await expect.poll(() => process.followed.current.next).toEqual(second);
});
