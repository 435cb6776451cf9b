import { userNameSchema } from '@waybill/contracts/values/user-name';
import { waitFor } from '@waybill/test-kit/wait-for';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKnexJobLedger } from '../src/adapters/jobs/knex-job-ledger.ts';
import { createKnexJobRegister } from '../src/adapters/jobs/knex-job-register.ts';
import { followQueues } from '../src/adapters/queues/follow-queues.ts';
import { createKnexQueueStore } from '../src/adapters/queues/knex-queue-store.ts';
import { jobIn, openQueue } from './claimable.ts';
import { startTestJobManager, type ShownJob } from './start-test-job-manager.ts';
import { startTestPlatform, testSite, type TestPlatform } from './start-test-platform.ts';

let platform: TestPlatform;

beforeEach(async () => {
  platform = await startTestPlatform();
});
afterEach(() => platform?.[Symbol.asyncDispose]());

const pause = { queue: 'q', queueId: '1', by: userNameSchema.parse('admin'), reason: 'test' };
const store = () => createKnexQueueStore(platform.db, testSite);
const add = async (): Promise<number> =>
  (await createKnexJobRegister(platform.db, { site: testSite }).add(jobIn('q')))?.id ?? 0;
const claim = (leaseMs = 60_000) =>
  createKnexJobLedger({ db: platform.db, owner: 'w', leaseMs, patienceMs: 60_000, site: testSite }).claim(
    [openQueue('q'), openQueue('other')],
    10,
  );
const statuses = async () =>
  (await platform.database.query('SELECT status FROM jobs.active ORDER BY job_id')).map(({ status }) => status);
const waitsForLock = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;

describe('a pause', () => {
  it('is in force from its commit, for a worker that has not heard of it too', async () => {
    await add();
    expect(await store().pause(pause)).toBe(true);
    // Its settings still have the queue open.
    expect(await claim()).toEqual([]);
    await store().resume(pause);
    expect(await claim()).toHaveLength(1);
  });

  it('leaves a job to its worker that runs, and to another worker when that one is lost', async () => {
    await add();
    expect(await claim(0)).toHaveLength(1);
    await store().pause(pause);
    await followQueues(platform.db, [openQueue('q')]);
    expect(await statuses()).toEqual(['RUNNING']);
    expect((await claim()).map(({ begunBefore }) => begunBefore)).toEqual([true]);
  });

  it('during a claim that waits for its turn lets no job start that waited then', async () => {
    const id = await add();
    const turn = new pg.Client({ connectionString: platform.database.url });
    await turn.connect();
    await turn.query(`BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('waybill claim jobs', 0))`);
    // The claim has begun, and does not see the pause.
    const waiting = claim();
    await waitFor(async () => (await platform.database.query(waitsForLock)).length > 0, { what: 'the claim to wait' });
    await store().pause(pause);
    await followQueues(platform.db, [openQueue('q')]);
    await turn.query('COMMIT');
    await turn.end();
    expect(await waiting).toEqual([]);
    expect(await statuses()).toEqual(['SUSPENDED']);
    await store().resume(pause);
    await followQueues(platform.db, [openQueue('q')]);
    expect((await claim()).map(({ job }) => job.id)).toEqual([id]);
  });

  it('that ends while jobs are suspended because of it leaves none of them behind', async () => {
    await add();
    await store().pause(pause);
    const { resuming } = await platform.db.transaction(async (trx) => {
      expect(await followQueues(trx, [openQueue('q')])).toBe(1);
      const ending = { resuming: store().resume(pause) };
      await waitFor(async () => (await platform.database.query(waitsForLock)).length === 1, {
        what: 'the end to wait',
      });
      return ending;
    });
    expect(await resuming).toBe(true);
    expect(await statuses()).toEqual(['SUSPENDED']);
    // What follows the end of a pause finds the job suspended, and lets it go on.
    await followQueues(platform.db, [openQueue('q')]);
    expect(await claim()).toHaveLength(1);
  });

  it('suspends and starts the jobs by itself, without a poll', async () => {
    await using manager = await startTestJobManager(platform, { JOB_POLL_SECONDS: '60' });
    const act = (verb: string) =>
      manager.client.post(`/job-manager/queues/Single/${verb}?reason=test`, { bearer: manager.admin });
    await act('pause');
    const body = { contractName: 'single', actionName: 'write-report', actionVariables: { name: 'unpolled' } };
    const { id } = (await manager.submit(body)).json() as ShownJob;
    expect((await manager.job(id)).status).toBe('SUBMITTED');
    // A second queue: what is done for one suspends the waiting jobs of all.
    await manager.client.post(`/job-manager/queues/Urgent/pause?reason=test`, { bearer: manager.admin });
    expect((await manager.job(id)).status).toBe('SUSPENDED');
    await act('resume');
    await manager.reaches(id, 'COMPLETED');
  });
});
