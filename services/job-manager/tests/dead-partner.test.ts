import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKnexJobLedger } from '../src/adapters/jobs/knex-job-ledger.ts';
import { createKnexJobRegister } from '../src/adapters/jobs/knex-job-register.ts';
import { JobPool } from '../src/worker/pool/job-pool.ts';
import { jobIn, openQueue } from './claimable.ts';
import { emptyJobs } from './empty-jobs.ts';
import { startTestPlatform, testSite, type TestPlatform } from './start-test-platform.ts';

let platform: TestPlatform;

beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform?.[Symbol.asyncDispose]());
beforeEach(() => emptyJobs(platform.database));

const ledger = (leaseMs = 600_000) =>
  createKnexJobLedger({ db: platform.db, owner: 'w', leaseMs, patienceMs: 600_000, site: testSite });
const alive = openQueue('alive', { parallelism: 1 });
const dead = openQueue('dead', { parallelism: 2 });

async function add(queue: string, count: number): Promise<void> {
  await platform.db.transaction(async (trx) => {
    const register = createKnexJobRegister(trx, { site: testSite });
    for (let index = 0; index < count; index += 1) await register.add(jobIn(queue));
  });
}

/** The tasks of the dead partner hang: they have all places of its queue. */
const hang = () => ledger().claim([dead], dead.parallelism);

/** The claims that a worker needs to run this many jobs of the queue that is alive, one after the other. */
async function claimsFor(count: number): Promise<number> {
  await add('alive', count);
  const { promise: over, resolve } = Promise.withResolvers<void>();
  let [claims, left] = [0, count];
  await using pool = new JobPool({
    capacity: 4,
    leaseMs: 600_000,
    claim: (limit) => {
      claims += 1;
      return ledger().claim([alive, dead], limit);
    },
    renew: (holds) => ledger().renew(holds),
    run: async ({ hold }) => {
      await ledger().completeJob(hold, 0, {}, 'done');
      left -= 1;
      if (left === 0) resolve();
    },
    onMore: () => {},
    onTrouble: (error) => expect.fail(String(error)),
  });
  await pool.fill();
  await over;
  return claims;
}

describe('jobs behind a dead partner', () => {
  it('cost the other queues no claims', async () => {
    const without = await claimsFor(50);
    await add('dead', 500);
    await hang();
    expect(await claimsFor(50)).toBeLessThanOrEqual(without * 1.1);
  });
});
