import { once } from 'node:events';
import { urlAs } from '@waybill/test-kit/test-roles';
import { firstOf } from '@waybill/test-kit/values/existing';
import { waitFor } from '@waybill/test-kit/wait-for';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKnexJobLedger } from '../src/adapters/jobs/knex-job-ledger.ts';
import { createKnexJobRegister } from '../src/adapters/jobs/knex-job-register.ts';
import { jobIn, openQueue } from './claimable.ts';
import { costOfClaim } from './cost-of-claim.ts';
import { emptyJobs } from './empty-jobs.ts';
import { startTestPlatform, testSite, type TestPlatform } from './start-test-platform.ts';

let platform: TestPlatform;

beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform?.[Symbol.asyncDispose]());
beforeEach(() => emptyJobs(platform.database));

const ledger = (leaseMs = 60_000, patienceMs = 600_000) =>
  createKnexJobLedger({ db: platform.db, owner: 'w', leaseMs, patienceMs, site: testSite });
/** Of this database, and not of another test's. */
const here = 'database = (SELECT oid FROM pg_database WHERE datname = current_database())';
const waitsForLock = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
/** What keeps VACUUM from removing rows. */
const otherSnapshots = `SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND backend_xmin IS NOT NULL AND pid <> pg_backend_pid()`;
const query = (sql: string, ...values: unknown[]) => platform.database.query(sql, values);

/** Adds jobs in one statement, each with that much to carry. */
async function add(count: number, queueName = 'q', text = ''): Promise<void> {
  const register = createKnexJobRegister(platform.db, { site: testSite });
  const made = await register.add(jobIn(queueName, { text }));
  await query(
    `WITH copies AS (
       INSERT INTO jobs.jobs (submitted_by, queue, actor, contract, contract_type, contract_action,
         contract_action_trigger, workflow_template_id, workflow_template_name, workflow_template_revision,
         workflow_template_description, steps, variables, dfic, chain_depth)
       SELECT submitted_by, queue, actor, contract, contract_type, contract_action, contract_action_trigger,
         workflow_template_id, workflow_template_name, workflow_template_revision, workflow_template_description, steps,
         variables, dfic, chain_depth FROM jobs.jobs, generate_series(2, $2) WHERE id = $1 RETURNING id, queue)
     INSERT INTO jobs.active (job_id, queue, status, status_message, updated_at)
     SELECT id, queue, 'SUBMITTED', '', clock_timestamp() FROM copies`,
    made?.id,
    count,
  );
}

const claimable = JSON.stringify([openQueue('q')]);

describe('a claim', () => {
  it('is held up by no client: one that never reads what it has claimed keeps no other from claiming', async () => {
    await add(2_000, 'q', 'x'.repeat(2_000));
    const stopped = new pg.Client({ connectionString: urlAs('job_manager', platform.database.url) });
    await stopped.connect();
    // The connection of a process that was stopped: its socket is no longer read.
    stopped.connection.stream.pause();
    stopped
      .query(`SELECT * FROM jobs.claim($1, 1000, 'stopped', interval '1 minute', interval '1 minute')`, [claimable])
      .catch(() => {});
    await waitFor(async () => (await query(`SELECT FROM jobs.active WHERE owner = 'stopped'`)).length === 1_000, {
      what: 'the claim of the client that does not read',
    });
    expect(await query(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND ${here}`)).toEqual([]);
    expect(await ledger().claim([openQueue('q')], 1_000)).toHaveLength(1_000);
    stopped.connection.stream.destroy();
    await once(stopped, 'end').catch(() => {});
  });

  it('begins its leases when it is made, however long it had to wait for its turn', async () => {
    await add(3);
    const turn = new pg.Client({ connectionString: platform.database.url });
    await turn.connect();
    await turn.query(`BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('waybill claim jobs', 0))`);
    const waiting = ledger(500).claim([openQueue('q')], 3);
    await waitFor(async () => (await query(waitsForLock)).length > 0, {
      what: 'the claim to wait',
    });
    // Longer than a lease.
    await turn.query('SELECT pg_sleep(0.7); COMMIT');
    await turn.end();
    expect(await waiting).toHaveLength(3);
    const [born] = await query(
      `SELECT bool_and(due_at > updated_at + interval '450 milliseconds') AS full,
         bool_and(active.updated_at >= jobs.created_at) AS later
       FROM jobs.active JOIN jobs.jobs ON jobs.id = job_id`,
    );
    expect(born).toEqual({ full: true, later: true });
  });

  it('renews a lease from when its row is free', async () => {
    await add(1);
    const claimed = firstOf(await ledger(500).claim([openQueue('q')], 1));
    const blocker = new pg.Client({ connectionString: platform.database.url });
    await blocker.connect();
    await blocker.query('BEGIN; SELECT FROM jobs.active FOR UPDATE');
    const renewed = ledger(500).renew([claimed.hold]);
    await waitFor(async () => (await query(waitsForLock)).length > 0, {
      what: 'the renewal to wait',
    });
    await blocker.query('SELECT pg_sleep(0.7); COMMIT');
    const [end] = await blocker.query<{ at: Date }>('SELECT clock_timestamp() AS at').then(({ rows }) => rows);
    await blocker.end();
    expect(await renewed).toHaveLength(1);
    const [row] = await query(
      `SELECT due_at > $1::timestamptz + interval '300 milliseconds' AS full FROM jobs.active`,
      end?.at,
    );
    expect(row).toEqual({ full: true });
  });

  it('leaves a suspended job alone until its time has come, though its queue is open', async () => {
    await add(2);
    await query(
      `UPDATE jobs.active SET status = 'SUSPENDED', ready = false, due_at = clock_timestamp() + interval '1 hour'
       WHERE job_id = (SELECT min(job_id) FROM jobs.active)`,
    );
    await createKnexJobRegister(platform.db, { site: testSite }).followQueues([openQueue('q')]);
    const later = await ledger().claim([openQueue('q')], 10);
    expect(later).toHaveLength(1);
    await query(`UPDATE jobs.active SET due_at = clock_timestamp() WHERE status = 'SUSPENDED'`);
    const waited = await ledger().claim([openQueue('q')], 10);
    expect(waited).toHaveLength(1);
    expect(firstOf(waited).job.id).toBeLessThan(firstOf(later).job.id);
    const history = await query(
      `SELECT from_status, to_status FROM jobs.history WHERE job_id = $1 AND transition = 'start'`,
      firstOf(waited).job.id,
    );
    expect(history).toEqual([{ from_status: 'SUSPENDED', to_status: 'RUNNING' }]);
  });

  it('lets no queue wait for ever behind a full one of a higher priority', async () => {
    await add(30, 'urgent');
    await add(1, 'low');
    const queues = [openQueue('urgent', { priority: 10 }), openQueue('low', { priority: 1 })];
    const order: string[] = [];
    const claimOne = async (): Promise<void> => {
      order.push(firstOf(await ledger(60_000, 10_000).claim(queues, 1)).job.queue);
    };
    for (let index = 0; index < 5; index += 1) await claimOne();
    // The urgent jobs keep coming: those that wait are young, the other one has waited for its patience.
    await query(`UPDATE jobs.active SET since = clock_timestamp() - interval '11 seconds' WHERE queue = 'low'`);
    for (let index = 0; index < 2; index += 1) await claimOne();
    expect(order).toEqual(['urgent', 'urgent', 'urgent', 'urgent', 'urgent', 'low', 'urgent']);
  });

  it('shares the places between a backlog that has waited for long and what is urgent', async () => {
    await add(200, 'low');
    await query(`UPDATE jobs.active SET since = clock_timestamp() - interval '8 hours'`);
    await add(200, 'urgent');
    await query(`UPDATE jobs.active SET since = clock_timestamp() - interval '2 seconds' WHERE queue = 'urgent'`);
    const queues = [openQueue('urgent', { priority: 10 }), openQueue('low', { priority: 1 })];
    const claimed: string[] = [];
    for (let index = 0; index < 20; index += 1) {
      claimed.push(...(await ledger(60_000, 10_000).claim(queues, 5)).map(({ job }) => job.queue));
    }
    // Of each claim of five, each queue has two; the fifth falls to either.
    expect(claimed).toHaveLength(100);
    for (const queue of ['urgent', 'low']) {
      expect(claimed.filter((one) => one === queue).length).toBeGreaterThanOrEqual(40);
    }
  });

  it('finds its jobs as quickly behind many others that wait for another time', async () => {
    await add(20_000, 'dead');
    await query(`UPDATE jobs.active SET ready = false, due_at = clock_timestamp() + interval '1 hour'`);
    await add(1, 'alive');
    // Removes from the index what the change above has left in it. Claims do so too, but not beside an older transaction,
    // such as an automatic ANALYZE.
    await expect.poll(() => query(otherSnapshots)).toEqual([{ count: 0 }]);
    await query('VACUUM ANALYZE jobs.active');
    // Pages that a claim reads: a few of each index, not those of the waiting jobs.
    const { pages, jobs } = await costOfClaim(platform.db, [openQueue('alive'), openQueue('dead')]);
    expect(jobs).toBe(1);
    expect(pages).toBeGreaterThan(0);
    expect(pages).toBeLessThan(200);
  });
});
