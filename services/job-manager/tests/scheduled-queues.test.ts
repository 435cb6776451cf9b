import { userNameSchema } from '@waybill/contracts/values/user-name';
import { openDirectory } from '@waybill/directory/open-directory';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKnexJobLedger } from '../src/adapters/jobs/knex-job-ledger.ts';
import { createKnexJobRegister } from '../src/adapters/jobs/knex-job-register.ts';
import { readQueueSettings } from '../src/adapters/queues/read-queue-settings.ts';
import { createSubmitJob } from '../src/domain/jobs/submit-job.ts';
import { startTestJobManager, type ShownJob } from './start-test-job-manager.ts';
import { startTestPlatform, testSite, type TestPlatform } from './start-test-platform.ts';
import { testConfiguration } from './test-configuration.ts';

let platform: TestPlatform;

beforeEach(async () => {
  platform = await startTestPlatform();
});

afterEach(async () => {
  await platform?.[Symbol.asyncDispose]();
});

/** The queue of the contract `single`, which is open in these slots. */
async function schedule(...slots: object[]): Promise<void> {
  const queues = testConfiguration.queues.map((queue) =>
    queue.name === 'Single' ? { ...queue, status: 'Scheduled', slots } : queue,
  );
  await platform.apply({ ...testConfiguration, queues });
}

/** Submits a job of a contract as the HTTP interface does. */
async function submit(contractName: string): Promise<void> {
  const register = createKnexJobRegister(platform.db, { site: testSite });
  const submitJob = createSubmitJob({ directory: openDirectory({ db: platform.db }), register });
  const userName = userNameSchema.parse('admin');
  await submitJob({ userName, contractName, actionName: 'write-report', actionVariables: {} });
}

/** Of the newest job. */
async function status(): Promise<unknown[]> {
  const [job] = await platform.database.query(
    'SELECT status, status_message FROM jobs.active ORDER BY job_id DESC LIMIT 1',
  );
  return [job?.['status'], job?.['status_message']];
}

const nightly = { from: '22:00', to: '06:00', timeZone: 'Europe/Berlin' };
const always = { from: '00:00', to: '24:00' };

describe('a Scheduled queue', () => {
  it('starts no job out of its hours; the job says when the queue opens, and goes on by itself then', async () => {
    await schedule(nightly, { days: ['Saturday'], from: '12:00', to: '14:00', timeZone: 'UTC' });
    let clock = new Date('2026-03-28T15:00Z');
    const directory = openDirectory({ db: platform.db });
    const register = createKnexJobRegister(platform.db, { site: testSite });
    const ledger = createKnexJobLedger({
      db: platform.db,
      site: testSite,
      owner: 'test',
      leaseMs: 60_000,
      patienceMs: 60_000,
    });
    // What a worker does, at the time of the clock.
    const work = async (): Promise<number> => {
      const queues = await readQueueSettings(directory, clock);
      await register.followQueues(queues);
      return (await ledger.claim(queues, 10)).length;
    };
    await submit('single');
    expect(await work()).toBe(0);
    expect(await status()).toEqual([
      'SUSPENDED',
      'The queue is out of hours; it opens at 2026-03-28 22:00 (Europe/Berlin)',
    ]);
    clock = new Date('2026-03-28T20:59:59Z');
    expect(await work()).toBe(0);
    clock = new Date('2026-03-28T21:00Z');
    expect(await work()).toBe(1);
    expect(await status()).toEqual(['RUNNING', 'Running']);

    // The night in which the clock is set forward ends at 6 all the same.
    await submit('single');
    clock = new Date('2026-03-29T04:00Z');
    expect(await work()).toBe(0);
    expect((await status())[1]).toContain('opens at 2026-03-29 22:00 (Europe/Berlin)');
  });

  it('and a disabled one each have the reason of their own', async () => {
    await schedule(nightly);
    const noon = new Date('2026-11-22T12:00Z');
    const directory = openDirectory({ db: platform.db });
    const register = createKnexJobRegister(platform.db, { site: testSite });
    await submit('single');
    await submit('closed');
    await submit('urgent');
    const count = await register.followQueues(await readQueueSettings(directory, noon));
    expect(count).toBe(2);
    const rows = await platform.database.query('SELECT queue, status, status_message FROM jobs.active ORDER BY queue');
    expect(rows.map((row) => [row['queue'], row['status'], row['status_message']])).toEqual([
      ['Closed', 'SUSPENDED', 'The queue is disabled'],
      ['Single', 'SUSPENDED', 'The queue is out of hours; it opens at 2026-11-22 22:00 (Europe/Berlin)'],
      ['Urgent', 'SUBMITTED', "Waiting in queue 'Urgent'"],
    ]);
  });

  it('of a running job manager holds its jobs until it is open', async () => {
    // The day after tomorrow.
    const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
    await schedule({ ...always, days: [days[(new Date().getUTCDay() + 2) % 7]] });
    await using manager = await startTestJobManager(platform);
    const response = await manager.submit({
      contractName: 'single',
      actionName: 'write-report',
      actionVariables: { name: 'scheduled' },
    });
    const { id } = response.json() as ShownJob;
    const waiting = await manager.reaches(id, 'SUSPENDED');
    expect(waiting.statusMessage).toMatch(/^The queue is out of hours; it opens at \d{4}-\d\d-\d\d 00:00 \(UTC\)$/u);
    await schedule(always);
    await manager.reaches(id, 'COMPLETED');
    expect(await platform.read('/outbox/scheduled.txt')).toBeDefined();
  });
});
