import { firstOf } from '@waybill/test-kit/values/existing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKnexJobLedger } from '../src/adapters/jobs/knex-job-ledger.ts';
import { createKnexJobRegister } from '../src/adapters/jobs/knex-job-register.ts';
import { jobIn, openQueue } from './claimable.ts';
import { emptyJobs } from './empty-jobs.ts';
import { startTestPlatform, testSite, type TestPlatform } from './start-test-platform.ts';

let platform: TestPlatform;

beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform?.[Symbol.asyncDispose]());
beforeEach(() => emptyJobs(platform.database));

const leaseMs = 60_000;
const ledgerOf = (owner: string, lease = leaseMs) =>
  createKnexJobLedger({ db: platform.db, owner, leaseMs: lease, patienceMs: 60_000, site: testSite });
const step = { position: 0, name: 'write', task: 'write-file' };

async function add(queueName: string): Promise<number> {
  const made = await createKnexJobRegister(platform.db, { site: testSite }).add(jobIn(queueName));
  return made?.id ?? 0;
}

const ids = async (claimed: ReturnType<ReturnType<typeof ledgerOf>['claim']>) =>
  (await claimed).map(({ job }) => job.id);

describe('the claim of jobs', () => {
  it('claims from the queue with the highest priority first, then the lowest job id of all queues of one priority', async () => {
    for (const name of ['low', 'a', 'b', 'a', 'urgent']) await add(name);
    const queues = [
      openQueue('low', { priority: 1 }),
      openQueue('a'),
      openQueue('b'),
      openQueue('urgent', { priority: 10 }),
    ];
    const order: number[] = [];
    for (let index = 0; index < 5; index += 1) order.push(...(await ids(ledgerOf('w').claim(queues, 1))));
    expect(order).toEqual([5, 2, 3, 4, 1]);
  });

  it('does not exceed the parallelism of a queue with concurrent claims', async () => {
    await Promise.all(Array.from({ length: 20 }, () => add('narrow')));
    const queues = [openQueue('narrow', { parallelism: 3 })];
    const claims = await Promise.all(
      Array.from({ length: 10 }, (_, index) => ids(ledgerOf(`w${index}`).claim(queues, 2))),
    );
    expect(claims.flat()).toHaveLength(3);
    expect(new Set(claims.flat()).size).toBe(3);
  });

  it('gives every job to one worker only', async () => {
    await Promise.all(Array.from({ length: 50 }, () => add('wide')));
    const claims = await Promise.all(
      Array.from({ length: 10 }, (_, index) => ids(ledgerOf(`w${index}`).claim([openQueue('wide')], 10))),
    );
    expect(claims.flat().toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  });

  it('starts nothing in a disabled or removed queue, but continues its running jobs', async () => {
    await add('shut');
    await add('gone');
    const open = [openQueue('shut'), openQueue('gone')];
    expect(await ids(ledgerOf('w', 0).claim(open, 10))).toEqual([1, 2]);
    await add('shut');
    await add('gone');
    const later = await ledgerOf('w').claim([openQueue('shut', { enabled: false })], 10);
    expect(later.map(({ job, begunBefore }) => [job.id, begunBefore])).toEqual([
      [1, true],
      [2, true],
    ]);
  });

  it('takes over a job whose lease has expired, and the previous worker can no longer write', async () => {
    await add('q');
    const [dead] = await ledgerOf('dead', 0).claim([openQueue('q')], 1);
    const [heir] = await ledgerOf('heir').claim([openQueue('q')], 1);
    if (!dead || !heir) throw new Error('nothing was claimed');
    expect(heir.job.id).toBe(dead.job.id);
    const ledger = ledgerOf('any');
    expect(await ledger.renew([dead.hold])).toEqual([]);
    expect(await ledger.beginStep(dead.hold, step)).toBeUndefined();
    expect(await ledger.beginStep(heir.hold, step)).toEqual({ attempts: 1, failures: 0, losses: 0, lossesAlone: 0 });
    expect(await ledger.completeStep(dead.hold, 0, {})).toBe(false);
    expect(await ledger.completeJob(dead.hold, 0, {}, '')).toBe(false);
    expect(await ledger.failJob(dead.hold, 0, 'x')).toBe(false);
    expect(await ledger.retryStep(dead.hold, 0, 'x', 0)).toBe(false);
    expect(await ledger.handBack(dead.hold, 0)).toBe(false);
    expect(await ledger.renew([heir.hold])).toEqual([heir.hold]);
    expect(await ledger.completeJob(heir.hold, 0, {}, 'done')).toBe(true);
    expect(await ledger.completeJob(heir.hold, 0, {}, 'done')).toBe(false);
  });

  it('suspects a job that was lost with its worker, and counts against it only what it takes down alone', async () => {
    await add('q');
    const claim = async (lease: number) => firstOf(await ledgerOf('w', lease).claim([openQueue('q')], 1));
    const ledger = ledgerOf('any');
    const first = await claim(0);
    expect(first.suspect).toBe(false);
    await ledger.beginStep(first.hold, step);
    const second = await claim(0);
    expect(second.suspect).toBe(true);
    expect(await ledger.beginStep(second.hold, step)).toEqual({ attempts: 2, failures: 0, losses: 1, lossesAlone: 0 });
    const third = await claim(leaseMs);
    expect(await ledger.beginStep(third.hold, step)).toEqual({ attempts: 3, failures: 0, losses: 2, lossesAlone: 0 });
    await ledger.handBack(third.hold, 0);
    const fourth = await claim(leaseMs);
    expect(fourth.suspect).toBe(true);
    expect(await ledger.beginStep(fourth.hold, step)).toEqual({ attempts: 4, failures: 0, losses: 2, lossesAlone: 0 });
    await ledger.noteLoss(fourth.hold);
    expect(await ids(ledger.claim([openQueue('q')], 1))).toEqual([]);
    await platform.database.query(`UPDATE jobs.active SET due_at = now() - interval '1 second'`);
    const fifth = await claim(leaseMs);
    expect(await ledger.beginStep(fifth.hold, step)).toEqual({ attempts: 5, failures: 0, losses: 3, lossesAlone: 1 });
    await ledger.retryStep(fifth.hold, 0, 'no luck', 0);
    const sixth = await claim(leaseMs);
    expect(sixth.suspect).toBe(false);
    expect(await ledger.beginStep(sixth.hold, step)).toEqual({ attempts: 6, failures: 1, losses: 3, lossesAlone: 0 });
  });

  it('does not claim a job until its delay is over', async () => {
    await add('q');
    const [claimed] = await ledgerOf('w').claim([openQueue('q')], 1);
    if (!claimed) throw new Error('nothing was claimed');
    await ledgerOf('w').beginStep(claimed.hold, step);
    await ledgerOf('w').retryStep(claimed.hold, 0, 'later', 3_600);
    expect(await ids(ledgerOf('w').claim([openQueue('q')], 1))).toEqual([]);
    await platform.database.query(`UPDATE jobs.active SET due_at = now() - interval '1 second'`);
    expect(await ids(ledgerOf('w').claim([openQueue('q')], 1))).toEqual([1]);
  });
});
