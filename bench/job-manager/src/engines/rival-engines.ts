import { Queue, Worker } from 'bullmq';
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { PgBoss } from 'pg-boss';
import { countDown, type Engine } from './engine.ts';

/** graphile-worker: a row, which is deleted when the job has run; no history. `batched`: jobs are fetched ahead. */
export async function openGraphile(connectionString: string, batched: boolean): Promise<Engine> {
  const logger = new Logger(() => () => {});
  const utils = await makeWorkerUtils({ connectionString, logger });
  await utils.migrate();
  return {
    name: `graphile-worker 0.18, ${batched ? 'batched' : 'default'}`,
    add: async () => void (await utils.addJob('nothing', {})),
    runAll: async (count, concurrency) => {
      const { over, tick } = countDown(count);
      const runner = await run({
        connectionString,
        logger,
        concurrency,
        maxPoolSize: 20,
        noHandleSignals: true,
        taskList: { nothing: tick },
        ...(batched && { preset: { worker: { localQueue: { size: 100 }, completeJobBatchDelay: 0 } } }),
      });
      await over;
      await runner.stop();
    },
    [Symbol.asyncDispose]: async () => utils.release(),
  };
}

/** pg-boss: a row, which is kept as completed. */
export async function openPgBoss(connectionString: string): Promise<Engine> {
  const boss = new PgBoss({ connectionString, max: 20 });
  boss.on('error', (error) => {
    throw error;
  });
  await boss.start();
  await boss.createQueue('nothing');
  return {
    name: 'pg-boss 12, batches of 1000',
    add: async () => void (await boss.send('nothing', {})),
    runAll: async (count) => {
      const { over, tick } = countDown(count);
      await boss.work('nothing', { batchSize: 1_000, pollingIntervalSeconds: 0.5 }, async (jobs) => {
        jobs.forEach(tick);
        return await Promise.resolve();
      });
      await over;
      await boss.offWork('nothing');
    },
    [Symbol.asyncDispose]: () => boss.stop({ graceful: false }),
  };
}

/** BullMQ alone: a hash in Redis, which is removed when the job has run. Not durable by itself. */
export function openBullmq(url: string): Engine {
  const connection = { url, maxRetriesPerRequest: null };
  const queue = new Queue('bench', { connection, defaultJobOptions: { removeOnComplete: true } });
  return {
    name: 'BullMQ 6 alone, in Redis',
    add: async () => void (await queue.add('nothing', {})),
    runAll: async (count, concurrency) => {
      const { over, tick } = countDown(count);
      const worker = new Worker('bench', () => Promise.resolve(tick()), { connection, concurrency });
      await over;
      await worker.close();
    },
    [Symbol.asyncDispose]: () => queue.close(),
  };
}
