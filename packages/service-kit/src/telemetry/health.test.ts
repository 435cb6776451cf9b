import { expect, test } from 'vitest';
import { createHealth } from './health.ts';

test('ready when every check succeeds', async () => {
  const health = createHealth();
  health.addCheck('postgres', () => Promise.resolve());
  expect(await health.readiness()).toEqual({ ready: true, checks: { postgres: 'ok' } });
});

test('a check that fails or hangs is named with its reason', async () => {
  const health = createHealth({ timeoutMs: 20 });
  health.addCheck('postgres', () => Promise.reject(new Error('refused')));
  health.addCheck('redis', () => Promise.withResolvers<void>().promise);
  expect(await health.readiness()).toEqual({
    ready: false,
    checks: { postgres: 'refused', redis: 'no answer within 20 ms' },
  });
});

test('a stopping service is not ready, regardless of its checks', async () => {
  const health = createHealth();
  health.markDraining();
  expect((await health.readiness()).ready).toBe(false);
});
