import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { processorSecondsOfTree } from '@waybill/bench-sftp-gateway/processes/read-processor-seconds';
import { ensureRedisServer } from '@waybill/private-datastores/ensure-redis-server';
import { startPrivatePostgres } from '@waybill/private-datastores/start-private-postgres';
import { startPrivateRedis } from '@waybill/private-datastores/start-private-redis';
import type { Engine } from './engine.ts';
import { openBullmq, openGraphile, openPgBoss } from './rival-engines.ts';
import { openWaybill } from './waybill-engine.ts';

const { values, positionals: wanted } = parseArgs({
  options: { jobs: { type: 'string', default: '5000' }, concurrency: { type: 'string', default: '8' } },
  allowPositionals: true,
});
const jobs = Number(values.jobs);
const concurrency = Number(values.concurrency);
/** Jobs that are added at a time. */
const adders = 16;

await using cleanUp = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'waybill-bench-'));
cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
const postgres = await startPrivatePostgres({ folder: join(folder, 'postgres') });
cleanUp.defer(() => postgres.stop());
const redis = await startPrivateRedis({
  folder: join(folder, 'redis'),
  program: await ensureRedisServer((line) => print(line)),
});
cleanUp.defer(() => redis.stop());

print(
  `${jobs} jobs that do nothing: added ${adders} at a time, then run ${concurrency} at a time, by one process of Node;`,
);
print('one PostgreSQL with fsync for all; ms are processor time for one job, added and run');
print('engine                                                   added/s  run/s  ms Node  ms PostgreSQL  ms Redis');
const database = postgres.url('waybill');
const engines: Readonly<Record<string, () => Engine | Promise<Engine>>> = {
  waybill: () => openWaybill(database),
  graphile: () => openGraphile(database, false),
  'graphile-batched': () => openGraphile(database, true),
  'pg-boss': () => openPgBoss(database),
  bullmq: () => openBullmq(redis.url),
};
for (const [name, open] of Object.entries(engines)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  await using engine = await open();
  // The first jobs compile statements and code.
  await addAndRun(engine, Math.min(500, jobs));
  const before = await readProcessorTime();
  const { addedPerSecond, runPerSecond } = await addAndRun(engine, jobs);
  const after = await readProcessorTime();
  const ms = after.map((seconds, index) => (((seconds - (before[index] ?? 0)) * 1_000) / jobs).toFixed(2));
  const [node = '', ofPostgres = '', ofRedis = ''] = ms;
  print(
    `${engine.name.padEnd(56)} ${addedPerSecond.toFixed(0).padStart(7)} ${runPerSecond.toFixed(0).padStart(6)} ` +
      `${node.padStart(8)} ${ofPostgres.padStart(14)} ${ofRedis.padStart(9)}`,
  );
}

async function addAndRun(engine: Engine, count: number) {
  const startedAt = performance.now();
  let next = 0;
  const addSome = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await engine.add(next);
    }
  };
  await Promise.all(Array.from({ length: adders }, addSome));
  const addedAt = performance.now();
  await engine.runAll(count, concurrency);
  const ranAt = performance.now();
  return {
    addedPerSecond: count / ((addedAt - startedAt) / 1_000),
    runPerSecond: count / ((ranAt - addedAt) / 1_000),
  };
}

/** Of this process, of PostgreSQL and of Redis. */
async function readProcessorTime(): Promise<number[]> {
  const { user, system } = process.cpuUsage();
  return [(user + system) / 1e6, await processorSecondsOfTree(postgres.pid), await processorSecondsOfTree(redis.pid)];
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
