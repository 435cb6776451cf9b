import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { openDirectory } from '@waybill/directory/open-directory';
import { type DurablePostgres, startDurablePostgres } from '@waybill/test-kit/start-durable-postgres';
import { firstOf } from '@waybill/test-kit/values/existing';
import { waitFor } from '@waybill/test-kit/wait-for';
import pg from 'pg';
import { expect, it } from 'vitest';
import { createKnexJobRegister } from '../src/adapters/jobs/knex-job-register.ts';
import { createSubmitJob } from '../src/domain/jobs/submit-job.ts';
import { canMove, transitionTable } from '../src/domain/jobs/transition-table.ts';
import { startTestPlatform, testSite, type TestPlatform } from './start-test-platform.ts';
import { testProcesses } from './test-managers.ts';

const processes = testProcesses();
const spawnRole = (platform: TestPlatform, role: string, env = {}) =>
  processes.start(platform, { ROLE: role, JOB_POLL_SECONDS: '0.2', ...env });
/** Five minutes ahead of PostgreSQL and of the other processes. */
const fastClock = {
  CLOCK_OFFSET_MS: '300000',
  NODE_OPTIONS: `--import=${import.meta.resolve('@waybill/test-kit/shift-clock')}`,
};
/** How many jobs of each kind: those that succeed, those that fail by design, and those that a file starts. */
const counts = { succeeding: 120, failing: 12, arrivals: 24 };
const total = counts.succeeding + counts.failing + counts.arrivals;

it('runs each job once while workers are killed and stopped, a clock is wrong, and Redis and PostgreSQL fail', async () => {
  await using postgres = await startDurablePostgres();
  await using database = openDatabase(postgres);
  await using platform = await startTestPlatform(database);
  const creating = createJobs(platform);
  // It is awaited after the faults.
  creating.catch(() => {});

  const scheduler = spawnRole(platform, 'scheduler');
  const workers = [superviseWorker(platform, fastClock), superviseWorker(platform, {})];
  const [stoppable, killable] = [firstOf(workers), firstOf(workers.slice(1))];
  const countEnded = async (): Promise<number> =>
    Number(firstOf(await database.query('SELECT count(*) AS count FROM jobs.ended'))['count']);
  const until = (count: number) =>
    waitFor(async () => (await countEnded()) >= count, { what: `${count} jobs`, timeoutMs: 120_000 });

  // One stops in the middle, for longer than its leases, and continues when others have its jobs.
  await until(10);
  stoppable.signal('SIGSTOP');
  const stoppedAt = performance.now();
  const faults = [
    () => platform.redis.flush(),
    () => platform.redis.fill(true),
    () => platform.redis.fill(false),
    () => platform.redis.kill(),
    async () => {
      await delay(Math.max(0, stoppedAt + 3_000 - performance.now()));
      stoppable.signal('SIGCONT');
    },
    () => platform.redis.restart(),
    async () => {
      await postgres.kill();
      await postgres.restart();
    },
    () => stoppable.kill(),
  ];
  for (const [round, fault] of faults.entries()) {
    await until((round + 1) * 15);
    await killable.kill();
    await fault();
  }
  await creating;
  await until(total);

  for (const worker of workers) expect(await worker.end()).toBe(0);
  scheduler.kill('SIGTERM');
  expect((await once(scheduler, 'exit'))[0]).toBe(0);
  await expectEachOnce(database);
  await expectLegalHistory(database);
}, 300_000);

it('submits and runs jobs while every write to Redis is refused', async () => {
  await using platform = await startTestPlatform();
  await platform.redis.fill(true);
  spawnRole(platform, 'scheduler');
  spawnRole(platform, 'worker');
  await submitterOf(platform)('write-report', 'full', 1);
  await platform.deliver('/inbox/full.csv', Buffer.from('full'));
  for (const path of ['/outbox/full-1.txt', '/outbox/full.csv.gz']) {
    await waitFor(() => platform.read(path), { what: path });
  }
});

/** A worker that is started again whenever it ends, as its supervisor does: a start without PostgreSQL fails. */
function superviseWorker(platform: TestPlatform, env: Readonly<Record<string, string>>) {
  let isOver = false;
  let child = start();
  function start(): ChildProcess {
    const started = spawnRole(platform, 'worker', env);
    started.once('exit', () => {
      if (!isOver) child = start();
    });
    return started;
  }
  return {
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    kill: async (): Promise<void> => {
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
    end: async (): Promise<unknown> => {
      isOver = true;
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      return (await exit)[0];
    },
  };
}

type TestDatabase = TestPlatform['database'] & AsyncDisposable;

function openDatabase(postgres: DurablePostgres): TestDatabase {
  const url = postgres.url('postgres');
  const pool = new pg.Pool({ connectionString: url, max: 2, allowExitOnIdle: true });
  pool.on('error', () => {});
  return {
    url,
    query: async (sql, values = []) => (await pool.query<Record<string, unknown>>(sql, [...values])).rows,
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

function submitterOf(platform: TestPlatform) {
  const register = createKnexJobRegister(platform.db, { site: testSite });
  const submitJob = createSubmitJob({ directory: openDirectory({ db: platform.db }), register });
  return (actionName: string, prefix: string, index: number) =>
    submitJob({
      userName: userNameSchema.parse('admin'),
      contractName: 'invoices',
      actionName,
      actionVariables: { name: `${prefix}-${index}`, text: String(index) },
      extIPID: `${actionName}-${prefix}-${index}`,
    });
}

/** Each attempt that gets no answer is repeated, as a client does. */
async function createJobs(platform: TestPlatform): Promise<void> {
  const submit = submitterOf(platform);
  const untilDone = (work: () => Promise<unknown>): Promise<unknown> =>
    waitFor(async () => (await work()) ?? true, { what: 'a job to be created', timeoutMs: 120_000, intervalMs: 100 });
  for (let index = 0; index < counts.succeeding; index += 1) {
    await untilDone(() => submit('write-report', 'chaos', index));
    if (index < counts.failing) await untilDone(() => submit('write-nowhere', 'chaos', index));
    if (index < counts.arrivals) await untilDone(() => deliverOnce(platform, `chaos-${index}.csv`));
    await delay(10);
  }
}

/** An attempt without an answer may have delivered the file. */
async function deliverOnce(platform: TestPlatform, name: string): Promise<void> {
  const path = `/inbox/${name}`;
  const delivered = await platform.filebox.find(platform.vfsId, parseVirtualPath(path));
  if (!delivered) await platform.deliver(path, Buffer.from(name));
}

async function expectEachOnce(database: TestDatabase): Promise<void> {
  const statuses = await database.query(
    'SELECT status, count(*)::int AS count FROM jobs.ended GROUP BY status ORDER BY status',
  );
  expect(statuses).toEqual([
    { status: 'COMPLETED', count: counts.succeeding + counts.arrivals },
    { status: 'ERROR', count: counts.failing },
  ]);
  const written = await database.query(
    `SELECT count(*)::int AS records, count(DISTINCT payload ->> 'entityName')::int AS files FROM outbox.events
     WHERE topic = 'audit-event' AND payload ->> 'auditCode' = 'AUD0041A' AND payload::text LIKE '%/outbox/chaos-%'`,
  );
  const files = counts.succeeding + counts.arrivals;
  expect(written).toEqual([{ records: files, files }]);
  expect(await database.query('SELECT FROM jobs.active')).toEqual([]);
  expect(await database.query(`SELECT FROM outbox.events WHERE topic = 'file-event'`)).toEqual([]);
}

/** Each change begins where the one before ended, and the transition table has it. */
async function expectLegalHistory(database: TestDatabase): Promise<void> {
  const history = await database.query(
    `SELECT job_id, from_status, to_status, transition,
       lag(to_status) OVER (PARTITION BY job_id ORDER BY id) AS before FROM jobs.history`,
  );
  expect(history.length).toBeGreaterThan(2 * total);
  for (const { from_status: from, to_status: to, transition, before } of history) {
    expect(from).toBe(before);
    if (transition === 'submit') continue;
    const name = transition as keyof typeof transitionTable;
    expect(canMove(from as 'SUBMITTED', name), `${String(from)} ${name}`).toBe(true);
    expect(to).toBe(transitionTable[name].to);
  }
}
