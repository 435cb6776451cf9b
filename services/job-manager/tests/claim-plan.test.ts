import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKnexJobLedger } from '../src/adapters/jobs/knex-job-ledger.ts';
import { createKnexJobRegister } from '../src/adapters/jobs/knex-job-register.ts';
import { jobIn, openQueue } from './claimable.ts';
import { costOfClaim } from './cost-of-claim.ts';
import { startTestPlatform, testSite, type TestPlatform } from './start-test-platform.ts';

let platform: TestPlatform;

beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform?.[Symbol.asyncDispose]());

const alive = openQueue('alive');
const dead = openQueue('dead', { parallelism: 2 });

async function add(queue: string, count: number): Promise<void> {
  await platform.db.transaction(async (trx) => {
    const register = createKnexJobRegister(trx, { site: testSite });
    for (let index = 0; index < count; index += 1) await register.add(jobIn(queue));
  });
}

/** The pages that a claim of both queues reads, which finds one job. */
async function pagesOfClaim(): Promise<number> {
  const { pages, jobs } = await costOfClaim(platform.db, [alive, dead]);
  expect(jobs).toBe(1);
  return pages;
}

it('a claim reads as many pages behind 5 000 jobs of a dead partner as behind 500, whatever PostgreSQL knows of them', async () => {
  await add('dead', 500);
  const ledger = createKnexJobLedger({
    db: platform.db,
    owner: 'w',
    leaseMs: 600_000,
    patienceMs: 600_000,
    site: testSite,
  });
  // The tasks of the dead partner hang: they have all places of its queue.
  expect(await ledger.claim([dead], 10)).toHaveLength(2);
  await add('alive', 1);
  await platform.database.query('VACUUM ANALYZE jobs.active');
  // The first claim of a connection reads the catalogue, and one after a vacuum may wait for it.
  await pagesOfClaim();
  const behindFew = await pagesOfClaim();
  await add('dead', 4_500);
  await platform.database.query('VACUUM ANALYZE jobs.active');
  await pagesOfClaim();
  expect(behindFew).toBeGreaterThan(0);
  // An index may have become a page deeper; the backlog itself has hundreds of pages.
  expect(await pagesOfClaim()).toBeLessThanOrEqual(behindFew * 1.5);
});
