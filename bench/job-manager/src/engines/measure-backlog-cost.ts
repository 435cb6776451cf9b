import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { processorSecondsOfTree } from '@waybill/bench-sftp-gateway/processes/read-processor-seconds';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { startPrivatePostgres } from '@waybill/private-datastores/start-private-postgres';
import { runFloor } from './floor-engine.ts';
import { openWaybill } from './waybill-engine.ts';

/*
 * What a backlog costs: jobs that do nothing are run to the last one, from backlogs of growing size, without a vacuum in
 * between other than PostgreSQL's own; beside the floor, which is the fewest statements that claim and complete durably.
 */
const { values, positionals } = parseArgs({
  options: { concurrency: { type: 'string', default: '8' } },
  allowPositionals: true,
});
const concurrency = Number(values.concurrency);
const backlogs = positionals.length > 0 ? positionals.map(Number) : [5_000, 50_000];

await using cleanUp = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'waybill-bench-'));
cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
const postgres = await startPrivatePostgres({ folder: join(folder, 'postgres') });
cleanUp.defer(() => postgres.stop());
const db = connectPostgres({
  url: postgres.url('waybill'),
  applicationName: 'bench',
  poolSize: 4,
  statementTimeoutMs: 600_000,
});
cleanUp.defer(() => db.destroy());
const engine = cleanUp.use(await openWaybill(postgres.url('waybill')));

print(`jobs that do nothing, ${concurrency} at a time, one process of Node, PostgreSQL with fsync`);
print('what                      jobs    run/s  ms Node  ms PostgreSQL, for one job');
await measure('(first run: compiles)', 1_000, runEngine);
for (const backlog of backlogs) {
  await measure('floor: two statements', backlog, () => runFloor(postgres.url('waybill'), backlog, concurrency));
  await measure('Waybill', backlog, runEngine);
}

async function runEngine(count: number): Promise<number> {
  await engine.add(0);
  await copyLastJob(count - 1);
  const startedAt = performance.now();
  await engine.runAll(count, concurrency);
  return performance.now() - startedAt;
}

async function measure(what: string, count: number, run: (count: number) => Promise<number>): Promise<void> {
  const before = [processorTime(), await processorSecondsOfTree(postgres.pid)] as const;
  const elapsedMs = await run(count);
  const node = ((processorTime() - before[0]) * 1_000) / count;
  const ofPostgres = (((await processorSecondsOfTree(postgres.pid)) - before[1]) * 1_000) / count;
  const rate = count / (elapsedMs / 1_000);
  print(
    `${what.padEnd(22)} ${String(count).padStart(7)} ${rate.toFixed(0).padStart(8)} ${node.toFixed(2).padStart(8)} ${ofPostgres.toFixed(2).padStart(14)}`,
  );
}

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Adds jobs in one statement: copies of the last one. */
async function copyLastJob(count: number): Promise<void> {
  const { rows } = await db.raw<{ rows: { columns: string }[] }>(
    `SELECT string_agg(column_name, ', ') AS columns FROM information_schema.columns
     WHERE table_schema = 'jobs' AND table_name = 'jobs' AND is_generated = 'NEVER'
       AND column_name NOT IN ('id', 'created_at')`,
  );
  const columns = rows[0]?.columns ?? '';
  await db.raw(
    `WITH made AS (
       INSERT INTO jobs.jobs (${columns}) SELECT ${columns}
       FROM (SELECT * FROM jobs.jobs ORDER BY id DESC LIMIT 1) AS last, generate_series(1, ${count})
       RETURNING id, queue, created_at),
     noted AS (
       INSERT INTO jobs.history (job_id, at, to_status, transition, changed_by, message)
       SELECT id, created_at, 'SUBMITTED', 'submit', 'bench', '' FROM made)
     INSERT INTO jobs.active (job_id, queue, status, status_message, updated_at, since)
     SELECT id, queue, 'SUBMITTED', '', created_at, created_at FROM made`,
  );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
