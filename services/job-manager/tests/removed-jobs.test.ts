import { randomUUID } from 'node:crypto';
import { existing } from '@waybill/test-kit/values/existing';
import { waitFor } from '@waybill/test-kit/wait-for';
import { beforeAll, describe, expect, it } from 'vitest';
import { createKnexJobRegister } from '../src/adapters/jobs/knex-job-register.ts';
import { jobIn } from './claimable.ts';
import type { ShownJob } from './start-test-job-manager.ts';
import { testSite } from './start-test-platform.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager({
  JOB_RETENTION_DAYS: '30',
  RETENTION_INTERVAL_SECONDS: '1',
});
const report = { contractName: 'invoices', actionName: 'write-report' };
const event = { ...jobIn('Closed'), eventId: randomUUID() };
const register = () => createKnexJobRegister(site.platform.db, { site: testSite });
const resubmit = (id: number) =>
  site.manager.client.post(`/job-manager/jobs/${id}/resubmit?extIPID=again`, { bearer: site.manager.admin });
const metric = async (name: string): Promise<number> => {
  const { text } = await site.manager.client.get('/metrics');
  return Number(new RegExp(`^${name}\\{[^}]*\\} (\\d+)$`, 'mu').exec(text)?.[1]);
};

let first: ShownJob;
let second: ShownJob;

/** Runs jobs, lets them become old, and waits until the scheduler of the manager has removed them. */
beforeAll(async () => {
  first = (await site.manager.submit({ ...report, extIPID: 'order' })).json() as ShownJob;
  await site.manager.reaches(first.id, 'COMPLETED');
  second = (await resubmit(first.id)).json() as ShownJob;
  await site.manager.reaches(second.id, 'COMPLETED');
  const started = await register().add(event);
  await register().move(existing(started).id, 'abort', { by: 'admin', message: 'no' });
  await site.platform.database.query(`UPDATE jobs.jobs SET created_at = now() - interval '40 days'`);
  await site.platform.database.query(`UPDATE jobs.ended SET updated_at = now() - interval '31 days'`);
  await waitFor(async () => (await site.manager.jobs()).jobs.length === 0, { what: 'the jobs to be removed' });
});

describe('a job that retention has removed', () => {
  it('is not found and not listed', async () => {
    const { status } = await site.manager.client.get(`/job-manager/jobs/${first.id}`, { bearer: site.manager.admin });
    expect(status).toBe(404);
    for (const query of [{ id: first.id }, { extIPID: 'order' }, { sort: '+updatedAt' }]) {
      expect(await site.manager.jobs(query)).toEqual({ jobs: [] });
    }
  });

  it('is still the one of its submission: repeated, that gets 409 with the number, and creates no job', async () => {
    const repeated = await Promise.all(
      Array.from({ length: 20 }, () => site.manager.submit({ ...report, extIPID: 'order' })),
    );
    for (const response of repeated) {
      expect(response.status).toBe(409);
      expect(response.headers.get('content-type')).toContain('application/problem+json');
      expect(response.json()).toMatchObject({
        code: 'job_removed',
        status: 409,
        detail: expect.stringContaining(`Job ${first.id} of this request has ended`),
      });
    }
    expect((await site.manager.jobs({ extIPID: 'order' })).jobs).toEqual([]);
  });

  it('is still the one of its resubmission, too, even though the job before it was removed as well', async () => {
    const response = await resubmit(first.id);
    expect(response.status).toBe(409);
    expect(response.json()).toMatchObject({
      code: 'job_removed',
      detail: expect.stringContaining(`Job ${second.id} `),
    });
  });

  it('is still the one of its event: redelivered, that starts no other, however many deliveries there are', async () => {
    const again = await Promise.all(Array.from({ length: 20 }, () => register().add(event)));
    expect(again).toEqual(Array.from({ length: 20 }, () => undefined));
    expect(await register().add({ ...event, contractAction: 'another' })).toBeDefined();
  });

  it('leaves the next jobs numbers of another range', async () => {
    const { id } = (await site.manager.submit(report)).json() as ShownJob;
    expect(id).toBeGreaterThanOrEqual(1_000_000);
    await site.manager.reaches(id, 'COMPLETED');
  });

  it('is counted', async () => {
    expect(await metric('waybill_jobs_removed_total')).toBe(3);
    expect(await metric('waybill_job_ranges_dropped_total')).toBe(1);
    expect(await metric('waybill_job_numbers_prepared')).toBeGreaterThan(2_000_000);
  });
});
