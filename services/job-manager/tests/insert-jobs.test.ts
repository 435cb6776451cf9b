import { createHash } from 'node:crypto';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKnexJobRegister } from '../src/adapters/jobs/knex-job-register.ts';
import type { NewJob } from '../src/domain/jobs/new-job.ts';
import { jobIn } from './claimable.ts';
import { startTestPlatform, testSite, type TestPlatform } from './start-test-platform.ts';

let platform: TestPlatform;

beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform?.[Symbol.asyncDispose]());

const keyOf = (name: string): Buffer => createHash('sha256').update(name).digest();

/** What the database has of the jobs of a queue. */
async function traces(queue: string) {
  const [row] = await platform.database.query(
    `SELECT count(*)::int AS jobs,
       (SELECT count(*)::int FROM jobs.active WHERE queue = $1) AS active,
       (SELECT count(*)::int FROM jobs.history JOIN jobs.jobs ON jobs.id = job_id WHERE queue = $1) AS changes,
       (SELECT count(*)::int FROM jobs.idempotency_keys JOIN jobs.jobs ON jobs.id = job_id WHERE queue = $1) AS keys,
       (SELECT count(*)::int FROM outbox.events JOIN jobs.jobs ON jobs.id::text = payload ->> 'entityId'
        WHERE queue = $1 AND payload ->> 'auditMessage' LIKE '% has submitted job ' || jobs.id || ' of %') AS audited
     FROM jobs.jobs WHERE queue = $1`,
    [queue],
  );
  return row;
}

describe('jobs that are added at the same time', () => {
  it('have a number, a history and an audit record each', async () => {
    const register = createKnexJobRegister(platform.db, { site: testSite });
    const jobs = await Promise.all(
      Array.from({ length: 600 }, (_, index) =>
        register.add({ ...jobIn('Grouped', { index }), ipid: keyOf(`grouped ${index}`), extIPID: String(index) }),
      ),
    );
    expect(new Set(jobs.map((job) => job?.id)).size).toBe(600);
    expect(await traces('Grouped')).toEqual({ jobs: 600, active: 600, changes: 600, keys: 600, audited: 600 });
    for (const [index, job] of [...jobs.entries()].filter((_, at) => at % 97 === 0)) {
      const stored = job && (await register.find(job.id));
      expect(stored).toEqual(job);
      expect(stored?.variables).toEqual({ index });
    }
  });

  it('are created even if PostgreSQL refuses one of them', async () => {
    const register = createKnexJobRegister(platform.db, { site: testSite });
    const variables: NewJob['variables'][] = Array.from({ length: 40 }, (_, index) => ({ index }));
    variables[17] = { text: 'PostgreSQL stores no \0' };
    const results = await Promise.allSettled(variables.map((given) => register.add(jobIn('Refused', given))));
    expect(results.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([17]);
    expect(await traces('Refused')).toEqual({ jobs: 39, active: 39, changes: 39, keys: 0, audited: 39 });
  });

  it('with the same key are one job', async () => {
    const register = createKnexJobRegister(platform.db, { site: testSite });
    const made = await Promise.all(
      Array.from({ length: 50 }, () => register.add({ ...jobIn('Same'), ipid: keyOf('same') })),
    );
    expect(made.filter((job) => job !== undefined)).toHaveLength(1);
    expect(await traces('Same')).toEqual({ jobs: 1, active: 1, changes: 1, keys: 1, audited: 1 });
  });

  it('with the same keys in opposite orders, by two processes, never block each other', async () => {
    const other = connectPostgres({ url: platform.database.url, applicationName: 'other process' });
    try {
      const registers = [platform.db, other].map((db) => createKnexJobRegister(db, { site: testSite }));
      for (let round = 0; round < 20; round += 1) {
        const names = Array.from({ length: 100 }, (_, index) => `round ${round} job ${index}`);
        const made = await Promise.all(
          registers.flatMap((register, index) =>
            (index === 0 ? names : names.toReversed()).map((name) =>
              register.add({ ...jobIn('Opposite'), ipid: keyOf(name) }),
            ),
          ),
        );
        expect(made.filter((job) => job !== undefined)).toHaveLength(100);
      }
      expect(await traces('Opposite')).toEqual({
        jobs: 2_000,
        active: 2_000,
        changes: 2_000,
        keys: 2_000,
        audited: 2_000,
      });
    } finally {
      await other.destroy();
    }
  });
});
