import type { Logger } from '@waybill/service-kit/telemetry/logger';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createTestRedis, type TestRedis } from '@waybill/test-kit/create-test-redis';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterEach, expect, test, vi } from 'vitest';
import { createQueue } from '../src/create-queue.ts';
import { createWorker } from '../src/create-worker.ts';

/** What is logged about a connection that fails. */
const tellings = { queue: 'queue connection', worker: 'worker connection' };

/** Both ends of a queue, idle and connected. */
async function openEnds(redis: TestRedis) {
  const told: string[] = [];
  const destination = { write: (line: string) => void told.push(line) };
  const logger: Logger = createLogger({ service: 'test', level: 'warn', destination });
  const base = { redisUrl: redis.url, name: 'test', logger };
  let wakeUps = 0;
  const worker = createWorker({ ...base, onWakeUp: () => (wakeUps += 1) });
  const queue = createQueue(base);
  await queue.wake();
  await waitFor(() => wakeUps === 1, { what: 'the first wake-up' });
  return {
    worker,
    queue,
    /** Each end has tried in vain to connect that often. */
    failed: (times: number) =>
      waitFor(
        () => Object.values(tellings).every((what) => told.filter((line) => line.includes(what)).length >= times),
        { what: 'both ends to notice' },
      ),
  };
}

afterEach(() => {
  vi.useRealTimers();
});

/** While this runs no timer ends: what closes waits for nothing. */
async function closeWithoutWaiting(...ends: AsyncDisposable[]): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  for (const end of ends) await end[Symbol.asyncDispose]();
}

test('both ends close without waiting while Redis is away', async () => {
  await using redis = await createTestRedis();
  const { worker, queue, failed } = await openEnds(redis);
  await redis.kill();
  await failed(1);
  await expect(closeWithoutWaiting(queue, worker)).resolves.toBeUndefined();
  vi.useRealTimers();
});

test('both ends close without waiting when Redis has just come back', async () => {
  await using redis = await createTestRedis();
  const { worker, queue, failed } = await openEnds(redis);
  await redis.kill();
  await failed(3);
  await redis.restart();
  await expect(closeWithoutWaiting(queue, worker)).resolves.toBeUndefined();
  vi.useRealTimers();
});
