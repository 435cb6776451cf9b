import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { openDirectory } from '@waybill/directory/open-directory';
import { createKnexJobRegister } from '@waybill/job-manager/adapters/jobs/knex-job-register';
import { createKnexQueueStore } from '@waybill/job-manager/adapters/queues/knex-queue-store';
import { createSubmitJob } from '@waybill/job-manager/submit-job';
import { openJobMessages } from '@waybill/job-manager/worker/pool/job-messages';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { type BenchJobs, startBenchJobs } from './start-bench-jobs.ts';
import { watchRedis } from './watch-redis.ts';

// What a backlog costs in memory: `node measure-backlog.ts [--jobs n] [--seconds n] [--paused]`, the seconds after the
// submission. With a paused queue the whole backlog waits for all that time. The worker has the heap that Node chooses by
// itself in a container with 1 GiB, as in docker-compose.yml.
const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '60' },
    paused: { type: 'boolean', default: false },
  },
});
const jobs = Number(values.jobs);
const jobsInTransaction = 250;
/** Jobs that run before: the code is compiled, and the heap has the size that running jobs give it. */
const warmUp = 2_000;
const site = { managerName: 'manager1', nodeName: 'bench' };
const mebibyte = 1024 * 1024;
const limits = { workerMib: 150, redisMib: 1 } as const;

await using bench = await startBenchJobs();
const heap = '--max-old-space-size=512 --max-semi-space-size=16';
const worker = await bench.start('worker', { ROLE: 'worker', NODE_OPTIONS: heap });
await bench.start('scheduler', { ROLE: 'scheduler' });
await delay(8_000);
const idle = await residentMib(worker.pid);
await submitAll(bench, { from: 0, to: warmUp });
while ((await countActive(bench)) > 0) await delay(200);
const warm = await residentMib(worker.pid);
using redis = watchRedis(bench.redis);
const memory: number[] = [];
const timer = setInterval(() => void residentMib(worker.pid).then((mib) => memory.push(mib)), 500);
const startedAt = performance.now();
await submitAll(bench, { from: warmUp, to: warmUp + jobs });
const submittedAt = performance.now();
if (values.paused) {
  const [queue, by] = ['Default Queue', userNameSchema.parse('bench')];
  await createKnexQueueStore(bench.db, site).pause({ queue, queueId: queue, by, reason: 'measurement' });
}
const waiting = await countActive(bench);
await delay(Number(values.seconds) * 1_000);
clearInterval(timer);
const left = await countActive(bench);

const took = (submittedAt - startedAt) / 1_000;
print(
  `${jobs} jobs submitted in ${took.toFixed(0)} s (${(jobs / took).toFixed(0)}/s); ${waiting} waited then, ${left} at the end`,
);
const most = Math.max(...memory);
print(
  `worker: ${idle.toFixed(0)} MiB idle, ${warm.toFixed(0)} after ${warmUp} jobs, at most ${most.toFixed(0)} with the backlog`,
);
verdict(
  `above the idle worker: ${(most - idle).toFixed(0)} MiB, limit ${limits.workerMib}`,
  most - idle <= limits.workerMib,
);
verdict(
  `above the worker that has run jobs: ${(most - warm).toFixed(0)} MiB, limit ${limits.workerMib}`,
  most - warm <= limits.workerMib,
);
const { samples } = redis;
const third = Math.floor(samples.length / 3);
const [early, late] = [samples.slice(0, third), samples.slice(-third)].map((part) => Math.max(...part));
const growth = (late ?? 0) - (early ?? 0);
verdict(
  `Redis: ${samples.length} samples, one a second, ${Math.min(...samples).toFixed(2)} to ${Math.max(...samples).toFixed(2)} MiB; ` +
    `the last third to the first: ${growth >= 0 ? '+' : ''}${growth.toFixed(2)} MiB, limit ${limits.redisMib}`,
  growth <= limits.redisMib,
);

async function submitAll({ db, stores }: BenchJobs, range: { from: number; to: number }): Promise<void> {
  const logger = createLogger({ service: 'bench', level: 'silent' });
  const parts = { redisUrl: stores.redis.url, logger, metrics: createMetrics('bench') };
  await using messages = openJobMessages(parts);
  let next = range.from;
  const submitSome = async (): Promise<void> => {
    while (next < range.to) {
      const from = next;
      next += jobsInTransaction;
      await db.transaction(async (trx) => {
        const register = createKnexJobRegister(trx, { site, onReady: messages.announce });
        const submit = createSubmitJob({ directory: openDirectory({ db: trx }), register });
        for (let index = from; index < Math.min(from + jobsInTransaction, range.to); index += 1) {
          await submit({
            userName: userNameSchema.parse('admin'),
            contractName: 'bench',
            actionName: 'write',
            actionVariables: { name: String(index) },
            extIPID: String(index),
          });
        }
      });
    }
  };
  await Promise.all(Array.from({ length: 4 }, submitSome));
}

async function countActive({ db }: BenchJobs): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: number }[] }>('SELECT count(*)::int AS count FROM jobs.active');
  return rows[0]?.count ?? 0;
}

/** The memory of a process that is in RAM. */
async function residentMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return (Number(/^VmRSS:\s+(\d+) kB$/mu.exec(status)?.[1]) * 1024) / mebibyte;
}

function verdict(what: string, isMet: boolean): void {
  print(`${what}: ${isMet ? 'met' : 'NOT MET'}`);
  if (!isMet) process.exitCode = 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
