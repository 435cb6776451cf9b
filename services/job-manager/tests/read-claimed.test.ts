import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { firstOf } from '@waybill/test-kit/values/existing';
import { describeFile } from '@waybill/workflow/run/job-file';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
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

const register = () => createKnexJobRegister(platform.db, { site: testSite });
const ledger = () =>
  createKnexJobLedger({ db: platform.db, owner: 'w', leaseMs: 600_000, patienceMs: 600_000, site: testSite });

/** A transaction that counts the pages of the jobs and their indexes that it reads. */
async function openTransaction() {
  const trx = await platform.db.transaction();
  const read = async (): Promise<number> => {
    const { rows } = await trx.raw<{ rows: { pages: string }[] }>(
      `SELECT coalesce(sum(pg_stat_get_xact_blocks_fetched(oid)), 0) AS pages FROM pg_class
       WHERE relnamespace = 'jobs'::regnamespace AND relname ~ '^(active|jobs_)'`,
    );
    return Number(rows[0]?.pages);
  };
  const pagesOf = async (ids: readonly number[]): Promise<number> => {
    const before = await read();
    const { rows } = await trx.raw<{ rows: object[] }>('SELECT FROM jobs.read_active(?)', [[...ids]]);
    expect(rows).toHaveLength(ids.length);
    return (await read()) - before;
  };
  return {
    pagesOf,
    [Symbol.asyncDispose]: async () => {
      await trx.rollback();
    },
  };
}

it('a claimed job is the one that was added, with its status', async () => {
  const file = describeFile(parseVirtualPath('/inbox/a.csv'), '7', '3');
  const variables = { deep: { list: [1, 'two', null] } };
  await register().add({ ...jobIn('q', variables), vfsId: platform.vfsId, extIPID: 'theirs', file });
  const { job } = firstOf(await ledger().claim([openQueue('q')], 1));
  const { updatedAt, ...read } = job;
  const { updatedAt: sameTime, ...stored } = (await register().find(job.id)) ?? {};
  expect([read, updatedAt]).toEqual([stored, sameTime]);
  expect(read).toMatchObject({ status: 'RUNNING', statusMessage: 'Running', extIPID: 'theirs', file });
});

it('claimed jobs are read one by one, however many are between them, by a plan that was made for a few jobs', async () => {
  const add = (count: number) =>
    platform.db.transaction(async (trx) => {
      const jobs = createKnexJobRegister(trx, { site: testSite });
      for (let index = 0; index < count; index += 1) await jobs.add(jobIn('q'));
    });
  await add(2);
  await platform.database.query('VACUUM ANALYZE jobs.jobs, jobs.active');
  await using trx = await openTransaction();
  await trx.pagesOf([1, 2]);
  const ofFew = await trx.pagesOf([1, 2]);
  await add(3_000);
  // A plan that is made again looks at the ends of the indexes.
  await trx.pagesOf([1, 3_000]);
  expect(ofFew).toBeGreaterThan(0);
  // Each lookup may pass a level or two of an index that has grown; the jobs between them have hundreds of pages.
  expect(await trx.pagesOf([1, 3_000])).toBeLessThanOrEqual(ofFew + 8);
});
