import { firstOf } from '@waybill/test-kit/values/existing';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKnexJobLedger } from '../src/adapters/jobs/knex-job-ledger.ts';
import { leaveJob } from '../src/adapters/jobs/left-jobs.ts';
import { openQueue } from './claimable.ts';
import {
  runTestJobManager,
  startTestJobManager,
  type ShownJob,
  type TestJobManager,
} from './start-test-job-manager.ts';
import { startTestPlatform, testSite, type TestPlatform } from './start-test-platform.ts';

let platform: TestPlatform;
let api: TestJobManager;

beforeEach(async () => {
  platform = await startTestPlatform();
  // No worker takes what the tests claim themselves.
  api = await startTestJobManager(platform, { ROLE: 'api' });
});
afterEach(async () => {
  await api?.[Symbol.asyncDispose]();
  await platform?.[Symbol.asyncDispose]();
});

const ledger = () =>
  createKnexJobLedger({ db: platform.db, owner: 'w', leaseMs: 60_000, patienceMs: 600_000, site: testSite });
const submit = async (contractName: string): Promise<number> => {
  const body = { contractName, actionName: 'write-report', actionVariables: { name: 'x' } };
  return ((await api.submit(body)).json() as ShownJob).id;
};
const wait = async (id: number): Promise<unknown> =>
  ((await api.client.get(`/job-manager/jobs/${id}`, { bearer: api.admin })).json() as { waitingFor?: unknown })
    .waitingFor;
/** A worker that has given a sign of life. */
const addWorker = (capacity: number) =>
  platform.database.query(`INSERT INTO jobs.workers VALUES ('w', $1, clock_timestamp())`, [capacity]);

describe('a job that waits', () => {
  it('says that no worker runs, and later that it is the next', async () => {
    const id = await submit('single');
    expect(await wait(id)).toEqual({ kind: 'noWorker', message: 'No worker runs' });
    expect((await api.job(id)).statusMessage).toBe('No worker runs');
    await addWorker(8);
    expect(await wait(id)).toEqual({ kind: 'turn', message: 'It is the next job of its queue', ahead: 0 });
    await platform.database.query(`UPDATE jobs.workers SET seen_at = clock_timestamp() - interval '1 minute'`);
    expect(await wait(id)).toMatchObject({ kind: 'noWorker' });
  });

  it('says that its queue is full, and how many jobs go first', async () => {
    await addWorker(8);
    const [running, second, third] = [await submit('single'), await submit('single'), await submit('single')];
    await ledger().claim([openQueue('Single', { parallelism: 1 })], 1);
    expect(await wait(running)).toBeUndefined();
    expect(await wait(second)).toEqual({
      kind: 'queueFull',
      message: "Queue 'Single' is full: 1 of 1 jobs run",
      ahead: 0,
    });
    expect(await wait(third)).toMatchObject({
      message: "Queue 'Single' is full: 1 of 1 jobs run; 1 job of the queue goes first",
      ahead: 1,
    });
  });

  it('says that all workers are busy with jobs of other queues', async () => {
    await addWorker(1);
    await submit('urgent');
    const id = await submit('single');
    await ledger().claim([openQueue('Urgent')], 1);
    expect(await wait(id)).toMatchObject({
      kind: 'workersBusy',
      message: 'All workers are busy: they run 1 of 1 jobs',
    });
  });

  it('says that its queue is disabled, paused or removed', async () => {
    expect(await wait(await submit('closed'))).toEqual({ kind: 'queueDisabled', message: 'The queue is disabled' });
    const id = await submit('single');
    await api.client.post('/job-manager/queues/Single/pause?reason=moving', { bearer: api.admin });
    const message = expect.stringMatching(/^The queue was paused by admin at .* \(UTC\): moving$/u);
    expect(await wait(id)).toEqual({ kind: 'queuePaused', message });
    expect(await api.job(id)).toMatchObject({ status: 'SUSPENDED', statusMessage: message });
    await platform.database.query(`UPDATE jobs.active SET queue = 'gone' WHERE job_id = $1`, [id]);
    expect(await wait(id)).toEqual({ kind: 'queueRemoved', message: 'The queue is not there any more' });
  });

  it('says until when the delay of its next attempt lasts, and keeps the error of the last one', async () => {
    const id = await submit('single');
    const { hold } = firstOf(await ledger().claim([openQueue('Single')], 1));
    await ledger().beginStep(hold, { position: 0, name: 'write', task: 'write-file' });
    await ledger().retryStep(hold, 0, 'the partner is away', 3_600);
    const [row] = await platform.database.query('SELECT due_at FROM jobs.active WHERE job_id = $1', [id]);
    const until = row?.['due_at'] as Date;
    expect(await wait(id)).toEqual({
      kind: 'delay',
      message: `It waits until ${until.toISOString().slice(0, 19).replace('T', ' ')} (UTC)`,
      until: until.toISOString(),
    });
    expect(await api.job(id)).toMatchObject({ status: 'RUNNING', statusMessage: 'the partner is away' });
  });

  it('says that it waits for a newer worker, if one has left it that does not understand it', async () => {
    const id = await submit('single');
    const { hold } = firstOf(await ledger().claim([openQueue('Single')], 1));
    await leaveJob(platform.db, hold, ['task send-email']);
    expect(await wait(id)).toEqual({ kind: 'newerWorker', message: expect.stringContaining('task send-email') });
  });

  it('is not held to wait for a worker once one has started, nor after that has stopped in order', async () => {
    const id = await submit('single');
    const count = async () => (await platform.database.query('SELECT FROM jobs.workers')).length;
    {
      await using _worker = await runTestJobManager(platform, { ROLE: 'worker', NODE_NAME: 'node2' });
      await waitFor(async () => (await count()) === 1, { what: 'the worker to be known' });
      await api.reaches(id, 'COMPLETED');
      expect(await wait(id)).toBeUndefined();
    }
    expect(await count()).toBe(0);
  });
});
