import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from '@waybill/private-datastores/free-port';
import { causeFaults } from './chaos-faults.ts';
import { createLoad, planLoad } from './chaos-load.ts';
import { durations, interruptions, judge, type Verdict } from './chaos-outcome.ts';
import { type BenchJobs, startBenchJobs } from './start-bench-jobs.ts';
import { openSubmitter } from './submit-over-http.ts';
import { redisMemory, watchRedis } from './watch-redis.ts';
import { startFleet } from './worker-fleet.ts';

// An API, a scheduler and two workers as processes, and every fault of the plan: `node measure-chaos.ts [--jobs n]`.
const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '5000' },
    'per-second': { type: 'string', default: '65' },
    kills: { type: 'string', default: '20' },
    'stopped-seconds': { type: 'string', default: '40' },
  },
});
const count = Number(values.jobs);
const faults = {
  kills: Number(values.kills),
  pauseMs: [1_500, 4_500],
  stoppedMs: Number(values['stopped-seconds']) * 1_000,
  fullMs: 8_000,
} as const;
const drainMs = 120_000;
/** The clock of the second worker is five minutes ahead. */
const aheadOfTime = {
  CLOCK_OFFSET_MS: '300000',
  NODE_OPTIONS: `--import=${import.meta.resolve('@waybill/test-kit/shift-clock')}`,
};

const startedAt = performance.now();
await using jobs = await startBenchJobs();
const port = await freePort();
const services = [
  await jobs.start('api', { ROLE: 'api', PORT: String(port) }),
  await jobs.start('scheduler', { ROLE: 'scheduler' }),
];
const fleet = await startFleet(jobs, [{}, aheadOfTime]);
const submitter = await openSubmitter(port);
const plan = planLoad(count);
await delay(2_000);
const redisBefore = await redisMemory(jobs.redis);
using watch = watchRedis(jobs.redis);
await Promise.all([
  createLoad(jobs, submitter, { plan, perSecond: Number(values['per-second']) }),
  causeFaults(jobs, fleet, faults),
]);
const overAt = performance.now();
await untilDrained(jobs);
const drainedAt = performance.now();
const codes = await fleet.end();
await Promise.all(services.map((service) => service.stop()));
for (const { exited } of services) codes.push((await exited).code);

const { steps, losses } = await interruptions(jobs);
const verdicts = [
  {
    promise: 'the faults have met jobs',
    isKept: fleet.killed === faults.kills && steps > 0,
    figure: `${fleet.killed} of ${faults.kills} kills, ${steps} steps lost`,
  },
  ...(await judge(jobs, plan)),
  memoryOf(redisBefore, watch.samples),
  await processesOf(jobs, codes),
];
const took = await durations(jobs);
print(
  `${count} jobs in ${seconds(startedAt, drainedAt)}, of which ${seconds(overAt, drainedAt)} after the last fault;`,
);
print(`${fleet.killed} workers killed, one stopped for ${faults.stoppedMs / 1_000} s, one five minutes ahead of time;`);
print(`${steps} steps were lost with their worker, ${losses} times in all;`);
print('Redis flushed, full, killed and restarted; PostgreSQL killed and restarted');
print(
  `${submitter.repeated} submissions repeated; from creation to end: median ${took.median.toFixed(2)} s, longest ${took.longest.toFixed(1)} s`,
);
for (const { promise, isKept, figure } of verdicts)
  print(`${isKept ? 'kept   ' : 'BROKEN '} ${promise.padEnd(52)} ${figure}`);
if (verdicts.some(({ isKept }) => !isKept)) process.exitCode = 1;

async function untilDrained({ db }: BenchJobs): Promise<void> {
  const giveUpAt = performance.now() + drainMs;
  for (;;) {
    const { rows } = await db.raw<{ rows: object[] }>(
      `SELECT FROM jobs.active UNION ALL SELECT FROM outbox.events WHERE topic = 'file-event' LIMIT 1`,
    );
    if (rows.length === 0 || performance.now() > giveUpAt) return;
    await delay(200);
  }
}

/** Flat: what is held at the end is what was held at the beginning, but for the last messages, which are kept. */
function memoryOf(before: number, samples: readonly number[]): Verdict {
  const [last = Number.NaN, highest] = [samples.at(-1), Math.max(...samples)];
  const figure = `${before.toFixed(2)} MiB before, ${last.toFixed(2)} after, at most ${highest.toFixed(2)} (${samples.length} samples)`;
  return { promise: 'the memory of Redis is flat', isKept: highest - before < 2, figure };
}

/** Processes that know the folder of this run in their environment. PostgreSQL and Redis do not. */
async function processesOf({ folder }: BenchJobs, codes: readonly (number | null)[]): Promise<Verdict> {
  let left = 0;
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/u.test(pid)) continue;
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    if (environment.includes(`BLOB_DIR=${folder}/`)) left += 1;
  }
  const isKept = left === 0 && codes.every((code) => code === 0);
  return { promise: 'no process is left', isKept, figure: `${left} left; exit codes ${codes.join(', ')}` };
}

function seconds(from: number, to: number): string {
  return `${((to - from) / 1_000).toFixed(0)} s`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
