import { setTimeout as delay } from 'node:timers/promises';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createTestRedis, type TestRedis } from '@waybill/test-kit/create-test-redis';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, test } from 'vitest';
import { createQueue } from '../src/create-queue.ts';
import { createWorker } from '../src/create-worker.ts';

const logger = createLogger({ service: 'test', level: 'silent' });

/** Both ends of a queue, idle and connected. */
async function openEnds(redis: TestRedis) {
  const base = { redisUrl: redis.url, name: 'test', logger };
  let wakeUps = 0;
  const worker = createWorker({ ...base, onWakeUp: () => (wakeUps += 1) });
  const queue = createQueue(base);
  await queue.wake();
  await waitFor(() => wakeUps === 1, { what: 'the first wake-up' });
  return { worker, queue };
}

async function secondsToClose(...ends: AsyncDisposable[]): Promise<number> {
  const startedAt = performance.now();
  for (const end of ends) await end[Symbol.asyncDispose]();
  return (performance.now() - startedAt) / 1_000;
}

test('both ends close at once while Redis is away', async () => {
  await using redis = await createTestRedis();
  const { worker, queue } = await openEnds(redis);
  await redis.kill();
  await delay(300);
  expect(await secondsToClose(queue, worker)).toBeLessThan(1);
});

test('both ends close at once when Redis has just come back', async () => {
  await using redis = await createTestRedis();
  const { worker, queue } = await openEnds(redis);
  await redis.kill();
  await delay(800);
  await redis.restart();
  expect(await secondsToClose(queue, worker)).toBeLessThan(1);
});
