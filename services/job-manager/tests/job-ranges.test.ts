import { describe, expect, it } from 'vitest';
import { createKnexJobRegister } from '../src/adapters/jobs/knex-job-register.ts';
import { closeRange, countPreparedNumbers, prepareRanges } from '../src/adapters/retention/job-ranges.ts';
import { jobIn } from './claimable.ts';
import { emptyJobs } from './empty-jobs.ts';
import { testSite } from './start-test-platform.ts';
import { storedJobs } from './stored-jobs.ts';

const jobs = storedJobs();

describe('the ranges of job numbers', () => {
  it('are prepared by any number of processes at once, for all tables, as the role of the service', async () => {
    await jobs.continueAt(40_000_000);
    await Promise.all(Array.from({ length: 8 }, () => prepareRanges(jobs.service)));
    expect(await jobs.ranges()).toEqual(expect.arrayContaining([0, 40, 41, 42, 43]));
    const counts = await jobs.query(
      `SELECT count(*)::int AS partitions FROM pg_inherits JOIN pg_class ON pg_class.oid = inhparent
       WHERE relnamespace = 'jobs'::regnamespace AND relkind = 'p' GROUP BY inhparent`,
    );
    expect(new Set(counts.map(({ partitions }) => partitions)).size).toBe(1);
    expect(await countPreparedNumbers(jobs.service)).toBe(4_000_000);
  });

  it('follow one another without a gap and without a scheduler', async () => {
    await jobs.continueAt(999_998);
    await Promise.all([jobs.add(), jobs.add(), jobs.add(), jobs.add()]);
    const ids = [999_998, 999_999, 1_000_000, 1_000_001];
    for (const id of ids) await jobs.complete(id);
    const page = await jobs.register.list({ filters: {}, sort: { field: 'id', descending: false }, limit: 10 });
    expect(page.jobs.map(({ id, status }) => [id, status])).toEqual(ids.map((id) => [id, 'COMPLETED']));
  });

  it('are prepared while a job is being created, and while a query runs', async () => {
    const open = await jobs.service.transaction();
    await createKnexJobRegister(open, { site: testSite }).add(jobIn('q'));
    await open.raw('SELECT count(*) FROM jobs.jobs, jobs.steps, jobs.history, jobs.ended, jobs.effects');
    await jobs.continueAt(50_000_000);
    await prepareRanges(jobs.service);
    await open.commit();
    expect(await jobs.ranges()).toContain(53);
  });

  it.each([0, -1, 101, null])('are not prepared %s at a time', async (ahead) => {
    await expect(jobs.service.raw('SELECT jobs.prepare_ranges(?)', [ahead])).rejects.toMatchObject({ code: '22023' });
  });
});

describe('a period', () => {
  it('closes its range once, however many schedulers there are, and no number is given twice', async () => {
    await jobs.age(8, await jobs.add());
    const closed = await Promise.all(Array.from({ length: 6 }, () => closeRange(jobs.service, 7).catch(() => false)));
    expect(closed.filter(Boolean)).toHaveLength(1);
    expect(await Promise.all([jobs.add(), jobs.add()])).toEqual(expect.arrayContaining([1_000_000, 1_000_001]));
    expect(await closeRange(jobs.service, 7)).toBe(false);
  });

  it('does not end before its time, nor without a job, nor within an hour', async () => {
    expect(await closeRange(jobs.service, 7)).toBe(false);
    await jobs.age(6.9, await jobs.add());
    expect(await closeRange(jobs.service, 7)).toBe(false);
    await emptyJobs(jobs.platform.database);
    await jobs.add();
    expect(await closeRange(jobs.service, 0)).toBe(false);
    expect(await closeRange(jobs.service, -1)).toBe(false);
  });

  it('ends when every transaction that has taken a number has ended, and delays no other one until then', async () => {
    await jobs.age(8, await jobs.add());
    const open = await jobs.service.transaction();
    await createKnexJobRegister(open, { site: testSite }).add(jobIn('q'));
    await expect(closeRange(jobs.service, 7)).rejects.toMatchObject({ code: '55P03' });
    expect(await jobs.add()).toBe(3);
    await open.commit();
    expect(await closeRange(jobs.service, 7)).toBe(true);
    expect(await jobs.add()).toBe(1_000_000);
  });

  it('does not end while the next range is not there', async () => {
    await jobs.continueAt(900_000_000);
    await jobs.service.raw('SELECT jobs.prepare_ranges(1)');
    await jobs.age(8, await jobs.add());
    expect(await closeRange(jobs.service, 7)).toBe(true);
    await jobs.age(8, await jobs.add());
    expect(await closeRange(jobs.service, 7)).toBe(false);
  });
});
