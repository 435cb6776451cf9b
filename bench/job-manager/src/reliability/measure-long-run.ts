import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type NoopEngine, openNoopEngine } from '../engines/noop-engine.ts';
import { openStores } from './open-stores.ts';

// Whether jobs become slower with time, while others are added: `node measure-long-run.ts [--seconds n] [--rate n]`. With a
// rate, only the first and the last minute are as fast as possible; between them so many jobs are added a second.
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '140' }, rate: { type: 'string' } } });
const seconds = Number(values.seconds);
const fastSeconds = 60;
const sliceSeconds = 20;
const concurrency = 8;
/** Jobs that wait at any time. */
const waiting = 500;
const leastRatio = 0.9;

/** What claims and updates leave behind in `jobs.active` until a vacuum removes it. */
interface Remains {
  readonly dead_rows: number;
  readonly table_kib: number;
  readonly indexes_kib: number;
  readonly vacuums: number;
}

await using cleanUp = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'waybill-bench-'));
cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
const stores = cleanUp.use(await openStores(folder));
const engine = cleanUp.use(await openNoopEngine(stores.postgres.url));

let [added, ended] = [0, 0];
const stopping = new AbortController();
let isPaced = false;
const top = async (): Promise<void> => {
  const interval = 100;
  while (!stopping.signal.aborted) {
    if (isPaced && values.rate !== undefined) {
      const due = Math.round((Number(values.rate) * interval) / 1_000);
      const pause = delay(interval);
      await engine.add('busy', due);
      added += due;
      await pause;
      continue;
    }
    const missing = waiting - (added - ended);
    if (missing < 50) await delay(5);
    else {
      await engine.add('busy', missing);
      added += missing;
    }
  }
};
const adding = top();
const queue = { name: 'busy', parallelism: concurrency };
const running = await engine.run(concurrency, [queue], () => (ended += 1));
// The first jobs compile statements and code.
await delay(10_000);
print(
  `jobs that do nothing, added and run ${concurrency} at a time by one process of Node, ${waiting} wait; per ${sliceSeconds} s`,
);
print('after s   jobs/s   dead rows   table KiB   indexes KiB   vacuums');
const speeds: number[] = [];
const remains: Remains[] = [];
for (let slice = 1; slice <= seconds / sliceSeconds; slice += 1) {
  const end = slice * sliceSeconds;
  isPaced = values.rate !== undefined && end > fastSeconds && end <= seconds - fastSeconds;
  const [from, endedBefore] = [performance.now(), ended];
  await delay(sliceSeconds * 1_000);
  const speed = (ended - endedBefore) / ((performance.now() - from) / 1_000);
  const left = await readRemains(engine);
  speeds.push(speed);
  remains.push(left);
  const columns = [speed.toFixed(0), left.dead_rows, left.table_kib, left.indexes_kib, left.vacuums];
  print([end, ...columns].map((value) => String(value).padStart(9)).join(' '));
}
stopping.abort();
await adding;
await running[Symbol.asyncDispose]();
const fastSlices = values.rate === undefined ? 1 : fastSeconds / sliceSeconds;
const mean = (part: readonly number[]): number => part.reduce((sum, speed) => sum + speed, 0) / part.length;
const ratio = mean(speeds.slice(-fastSlices)) / mean(speeds.slice(0, fastSlices));
verdict(
  `the last ${fastSlices * sliceSeconds} s to the first: ${ratio.toFixed(2)}, at least ${leastRatio}`,
  ratio >= leastRatio,
);
const half = Math.floor(remains.length / 2);
const most = (part: readonly Remains[]): number =>
  Math.max(...part.map(({ table_kib: table, indexes_kib: indexes }) => table + indexes));
const growth = most(remains.slice(half)) / most(remains.slice(0, half));
verdict(
  `the largest table and indexes of the second half to the first: ${growth.toFixed(2)}, at most 1.5`,
  growth <= 1.5,
);

async function readRemains({ db }: NoopEngine): Promise<Remains> {
  const { rows } = await db.raw<{ rows: Remains[] }>(
    `SELECT n_dead_tup::int AS dead_rows, autovacuum_count::int AS vacuums,
       (pg_table_size(relid) / 1024)::int AS table_kib, (pg_indexes_size(relid) / 1024)::int AS indexes_kib
     FROM pg_stat_user_tables WHERE schemaname = 'jobs' AND relname = 'active'`,
  );
  const [row] = rows;
  if (!row) throw new Error('PostgreSQL has no statistics of jobs.active');
  return row;
}

function verdict(what: string, isMet: boolean): void {
  print(`${what}: ${isMet ? 'met' : 'NOT MET'}`);
  if (!isMet) process.exitCode = 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
