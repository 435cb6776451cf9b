import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type NoopEngine, type NoopQueue, openNoopEngine } from '../engines/noop-engine.ts';
import { openStores } from './open-stores.ts';

// How much a queue loses by another one whose partner is dead: `node measure-dead-partner.ts [--backlog n] [--jobs n]`.
const { values } = parseArgs({
  options: { backlog: { type: 'string', default: '100000' }, jobs: { type: 'string', default: '4000' } },
});
const backlog = Number(values.backlog);
const jobs = Number(values.jobs);
const rounds = 2;
/** Slots for the other queue, and those that the tasks of the dead partner may take. */
const [alivePlaces, deadPlaces] = [8, 4];
const leastRatio = 0.9;
const limitMs = 15_000;

await using cleanUp = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'waybill-bench-'));
cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
const stores = cleanUp.use(await openStores(folder));
const engine = cleanUp.use(await openNoopEngine(stores.postgres.url));
const alive: NoopQueue = { name: 'alive', parallelism: alivePlaces };

await throughput(engine, [alive], 1_000);
const without = await repeat(() => throughput(engine, [alive], jobs));
const startedAt = performance.now();
await engine.add('dead', backlog);
const addSeconds = (performance.now() - startedAt) / 1_000;
let failures = 0;
const dead: NoopQueue = {
  name: 'dead',
  parallelism: deadPlaces,
  // Each attempt waits for the partner in vain, fails, and is repeated later.
  work: async () => {
    await delay(1_000);
    failures += 1;
    return 30;
  },
};
const behind = await repeat(() => throughput(engine, [alive, dead], jobs));
await engine.db.raw(`DELETE FROM jobs.active WHERE queue = 'dead'`);
const after = await repeat(() => throughput(engine, [alive], jobs));
const ratio = median(behind) / median([...without, ...after]);
print(`${jobs} jobs that do nothing, ${alivePlaces} at a time, in one process of Node; jobs/s, ${rounds} runs`);
print(`alone, before                            ${shown(without)}`);
print(`beside ${backlog} jobs of a dead partner  ${shown(behind)}`);
print(`alone, when these were removed           ${shown(after)}`);
print(
  `(${deadPlaces} at a time, a second each, ${failures} failures; the backlog was added at ${(backlog / addSeconds).toFixed(0)}/s)`,
);
const isMet = ratio >= leastRatio;
print(`ratio of the medians ${ratio.toFixed(2)}, at least ${leastRatio}: ${isMet ? 'met' : 'NOT MET'}`);
if (!isMet) process.exitCode = 1;

/** Adds jobs to the queue `alive` and runs them, for some seconds at most. Resolves to how many ended in a second. */
async function throughput(on: NoopEngine, queues: readonly NoopQueue[], count: number): Promise<number> {
  await on.add('alive', count);
  // What earlier runs have left in the indexes slows down the later ones, with and without a backlog.
  await on.db.raw('VACUUM ANALYZE jobs.active');
  const { promise: over, resolve } = Promise.withResolvers<void>();
  let ended = 0;
  const startedAt = performance.now();
  const running = await on.run(alivePlaces + deadPlaces, queues, (queue) => {
    if (queue === 'alive') ended += 1;
    if (ended === count) resolve();
  });
  await Promise.race([over, delay(limitMs)]);
  const speed = ended / ((performance.now() - startedAt) / 1_000);
  await running[Symbol.asyncDispose]();
  await on.db.raw(`DELETE FROM jobs.active WHERE queue = 'alive'`);
  return speed;
}

async function repeat(measure: () => Promise<number>): Promise<number[]> {
  const results: number[] = [];
  while (results.length < rounds) results.push(await measure());
  return results;
}

function median(results: readonly number[]): number {
  return results.toSorted((one, other) => one - other)[Math.floor(results.length / 2)] ?? Number.NaN;
}

function shown(results: readonly number[]): string {
  return results.map((result) => result.toFixed(0).padStart(6)).join('');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
