import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { describe, expect, it } from 'vitest';
import { createRetentionDuty } from '../src/retention/retain-jobs.ts';
import { testSite } from './start-test-platform.ts';
import { storedJobs } from './stored-jobs.ts';
import { jobIdOf } from './test-job.ts';

const jobs = storedJobs();

function retention() {
  const metrics = createMetrics('test');
  const { logger } = jobs.platform;
  const settings = { keptDays: 30, periodDays: 7 };
  const parts = { db: jobs.service, site: testSite, retention: settings, intervalMs: 1_000, logger, metrics };
  const { work } = createRetentionDuty(parts);
  return { work: () => work(new AbortController().signal), metrics };
}

const removals = () => jobs.query(`SELECT payload FROM outbox.events WHERE payload ->> 'auditCode' = 'AUD0029A'`);

describe('retention', () => {
  it('drops a range with all that is known of its jobs, and keeps their idempotency keys', async () => {
    const job = { ipid: Buffer.from('key'), extIPID: 'order' };
    const id = await jobs.add(job);
    await jobs.complete(id);
    await jobs.query(`INSERT INTO jobs.effects VALUES ($1, 1, '/a', 7, '{}')`, id);
    await jobs.query(
      `INSERT INTO jobs.webhook_deliveries VALUES (1, $1, 'hook', 1, 'hooks', 'key', now(), 5, 200)`,
      id,
    );
    await jobs.query(`INSERT INTO jobs.webhook_bodies VALUES ($1, 1, '', '{}')`, id);
    await jobs.age(31, id);
    const { work, metrics } = retention();
    await work();

    expect(await jobs.ranges()).not.toContain(0);
    for (const table of ['jobs', 'ended', 'steps', 'history', 'effects', 'webhook_deliveries', 'webhook_bodies']) {
      expect(await jobs.query(`SELECT FROM jobs.${table}`), table).toEqual([]);
    }
    expect(await jobs.register.find(jobIdOf(id))).toBeUndefined();
    expect(await jobs.add(job)).toBeUndefined();
    await expect(jobs.register.findByIpid(job.ipid)).rejects.toMatchObject({
      code: 'job_removed',
      names: { job: String(id) },
    });
    const text = await metrics.text();
    expect(text).toMatch(/^waybill_jobs_removed_total\{[^}]*\} 1$/mu);
    expect(text).toMatch(/^waybill_job_ranges_dropped_total\{[^}]*\} 1$/mu);
    expect(await removals()).toEqual([
      {
        payload: expect.objectContaining({
          auditOperation: 'DELETE',
          dataoneUser: 'platform',
          entityType: 'Jobs',
          entityName: '0-999999',
          auditMessage: expect.stringMatching(
            /^Jobs 0 to 999999 were removed: 1 jobs, of which the last one changed at .*Z, kept for 30 days$/u,
          ),
        }),
      },
    ]);
  });

  it('keeps a range with a job that waits or runs, however old, and drops one that is behind it', async () => {
    await jobs.age(40, await jobs.add());
    await retention().work();
    const later = await jobs.add();
    expect(later).toBe(1_000_000);
    const [waiting] = await jobs.query('SELECT job_id::int AS id FROM jobs.active ORDER BY job_id');
    await jobs.register.move(jobIdOf(later), 'abort', { by: 'admin', message: 'no' });
    await jobs.age(40, later);
    await retention().work();
    expect(await jobs.ranges()).toEqual(expect.arrayContaining([0]));
    expect(await jobs.ranges()).not.toContain(1);

    await jobs.register.move(jobIdOf(waiting?.['id']), 'abort', { by: 'admin', message: 'no' });
    await retention().work();
    expect(await jobs.ranges()).toContain(0);
    await jobs.age(31, Number(waiting?.['id']));
    await retention().work();
    expect(await jobs.ranges()).not.toContain(0);
  });

  it('keeps a range with a job that ended after the horizon, and the present range', async () => {
    const [old, young] = [await jobs.add(), await jobs.add()];
    await jobs.complete(old);
    await jobs.complete(young);
    await jobs.age(40, old);
    await jobs.age(29, young);
    await retention().work();
    expect(await jobs.add()).toBe(1_000_000);
    await jobs.age(40, 1_000_000);
    await retention().work();
    expect(await jobs.ranges()).toEqual(expect.arrayContaining([0, 1]));
    expect(await removals()).toEqual([]);
  });

  it('never drops what changed within a day, whatever it is told', async () => {
    await jobs.complete(await jobs.add());
    await jobs.continueAt(1_000_000);
    for (const horizon of ["now() + interval '1 day'", 'now()', "now() - interval '23 hours'", 'NULL']) {
      await expect(jobs.service.raw(`SELECT jobs.drop_range(0, ${horizon}, 100)`)).rejects.toMatchObject({
        code: '22023',
      });
    }
    const { rows } = await jobs.service.raw(
      `SELECT jobs.drop_range(0, now() - interval '25 hours', 2147483647) AS done`,
    );
    expect(rows).toEqual([{ done: false }]);
  });

  it('drops a range once when several schedulers do it at a time', async () => {
    await jobs.complete(await jobs.add());
    await jobs.age(31, 1);
    await jobs.continueAt(1_000_000);
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => retention().work()));
    expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'fulfilled'));
    expect(await removals()).toHaveLength(1);
    expect(await jobs.ranges()).not.toContain(0);
  });

  it('waits for a query that uses the range, and delays no other statement meanwhile', async () => {
    await jobs.complete(await jobs.add());
    await jobs.age(31, 1);
    await jobs.continueAt(1_000_000);
    const reader = await jobs.service.transaction();
    try {
      await reader.raw('SELECT count(*) FROM jobs.jobs');
      const outcomes: unknown[] = [];
      const dropping = retention()
        .work()
        .catch((error: unknown) => outcomes.push(error));
      // Were they to wait behind the drop, they would wait for the reader, which does not end before they have.
      for (let added = 0; added < 20 || outcomes.length === 0; added += 1) {
        expect(await jobs.add()).toBeGreaterThanOrEqual(1_000_000);
      }
      await dropping;
      expect(outcomes).toEqual([expect.objectContaining({ code: '55P03' })]);
      expect(await jobs.ranges()).toContain(0);
    } finally {
      await reader.commit();
    }
    await retention().work();
    expect(await jobs.ranges()).not.toContain(0);
  });
});
