import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { urlAs } from '@waybill/test-kit/test-roles';
import { firstOf } from '@waybill/test-kit/values/existing';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createKnexJobLedger } from '../src/adapters/jobs/knex-job-ledger.ts';
import { createKnexJobRegister } from '../src/adapters/jobs/knex-job-register.ts';
import { prepareRanges } from '../src/adapters/retention/job-ranges.ts';
import type { JobRegister } from '../src/domain/jobs/job-register.ts';
import type { NewJob } from '../src/domain/jobs/new-job.ts';
import { jobIn, openQueue } from './claimable.ts';
import { emptyJobs } from './empty-jobs.ts';
import { startTestPlatform, testSite, type TestPlatform } from './start-test-platform.ts';

/** Jobs in PostgreSQL, which tests add, run and let grow old. */
export interface StoredJobs {
  readonly platform: TestPlatform;
  /** With the role of the service. */
  readonly service: Database;
  readonly register: JobRegister;
  /** As a superuser. */
  query(sql: string, ...values: unknown[]): Promise<Record<string, unknown>[]>;
  /** Adds a job; returns its number. */
  add(job?: Partial<NewJob>): Promise<number | undefined>;
  /** Runs the job that waits first, which has this number, with one step. */
  complete(id: number | undefined): Promise<void>;
  /** Makes a job, and its end if it has ended, so many days old. */
  age(days: number, id: number | undefined): Promise<void>;
  /** The next job has this number. */
  continueAt(number: number): Promise<unknown>;
  /** The ranges that exist. */
  ranges(): Promise<number[]>;
}

/** For all tests of the calling file; each begins without a job. */
export function storedJobs(): StoredJobs {
  let platform: TestPlatform | undefined;
  let service: Database | undefined;
  beforeAll(async () => {
    platform = await startTestPlatform();
    service = connectPostgres({ url: urlAs('job_manager', platform.database.url), applicationName: 'ranges test' });
  });
  afterAll(async () => {
    await service?.destroy();
    await platform?.[Symbol.asyncDispose]();
  });
  const parts = () => {
    if (!platform || !service) throw new Error('The platform is started before the first test, and not earlier');
    return { platform, service };
  };
  beforeEach(async () => {
    await emptyJobs(parts().platform.database);
    await parts().platform.database.query('DELETE FROM outbox.events');
    await prepareRanges(parts().service);
  });
  return jobsIn(parts);
}

function jobsIn(parts: () => Pick<StoredJobs, 'platform' | 'service'>): StoredJobs {
  const query: StoredJobs['query'] = (sql, ...values) => parts().platform.database.query(sql, values);
  const register = () => createKnexJobRegister(parts().service, { site: testSite });
  return {
    get platform() {
      return parts().platform;
    },
    get service() {
      return parts().service;
    },
    get register() {
      return register();
    },
    query,
    add: async (job = {}) => (await register().add({ ...jobIn('q'), ...job }))?.id,
    complete: async (id) => {
      const timing = { leaseMs: 60_000, patienceMs: 60_000 };
      const ledger = createKnexJobLedger({ db: parts().service, owner: 'w', ...timing, site: testSite });
      const { hold } = firstOf((await ledger.claim([openQueue('q')], 1)).filter(({ job }) => job.id === id));
      await ledger.beginStep(hold, { position: 1, name: 'one', task: 'write-file' });
      await ledger.completeJob(hold, 1, {}, 'done');
    },
    age: async (days, id) => {
      const set = (column: string) => `${column} = now() - $1 * interval '1 day'`;
      await query(`UPDATE jobs.jobs SET ${set('created_at')} WHERE id = $2`, days, id);
      await query(`UPDATE jobs.ended SET ${set('updated_at')} WHERE job_id = $2`, days, id);
    },
    continueAt: (number) => query(`SELECT setval('jobs.job_ids', $1, false)`, number),
    ranges: async () => {
      const rows = await query(
        `SELECT substring(inhrelid::regclass::text FROM '[0-9]+$')::int AS number FROM pg_inherits
         WHERE inhparent = 'jobs.jobs'::regclass ORDER BY 1`,
      );
      return rows.map(({ number }) => Number(number));
    },
  };
}
