import { directorySchema } from '@waybill/directory/directory-schema';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { migrate } from '@waybill/postgres/migrate';
import { createTestDatabase } from '@waybill/test-kit/create-test-database';
import { existing, firstOf } from '@waybill/test-kit/values/existing';
import { expect, it } from 'vitest';
import { createKnexJobLedger } from '../src/adapters/jobs/knex-job-ledger.ts';
import { createKnexJobRegister } from '../src/adapters/jobs/knex-job-register.ts';
import { jobsSchema } from '../src/jobs-schema.ts';
import { openQueue } from './claimable.ts';
import { testSite } from './start-test-platform.ts';

const before = { ...jobsSchema, migrations: jobsSchema.migrations.slice(0, 1) };

it('keeps the jobs of a database that was migrated before, whatever their status', async () => {
  await using database = await createTestDatabase({
    name: 'old_jobs',
    prepare: async (url) => {
      const db = connectPostgres({ url, applicationName: 'test template' });
      try {
        await migrate(db, directorySchema);
        await migrate(db, outboxSchema);
        await migrate(db, before);
      } finally {
        await db.destroy();
      }
    },
  });
  const db = connectPostgres({ url: database.url, applicationName: 'test' });
  try {
    await database.query(
      `INSERT INTO jobs.jobs (status, status_message, submitted_by, queue, actor, contract, contract_type,
         contract_action, contract_action_trigger, workflow_template_id, workflow_template_name,
         workflow_template_revision, workflow_template_description, steps, variables, dfic, chain_depth, ipid, ext_ipid,
         event_id, fence, lease_until, lease_owner, run_after)
       SELECT status, status || ' it is', 'admin', 'q', 'acme', 'invoices', 'Mediation', 'report', 'OnDemand', 1, 'w', 1, '',
         '[]', '{}', '{"dfiid": "d", "lcid": "l", "userAttrs": {}}', 1,
         CASE status WHEN 'COMPLETED' THEN '\\x2a'::bytea END, CASE status WHEN 'COMPLETED' THEN 'order' END,
         CASE status WHEN 'ERROR' THEN 'event "5" é' END, place, CASE place WHEN 3 THEN now() + interval '1 hour' END, CASE place WHEN 3 THEN 'old worker' END,
         CASE place WHEN 4 THEN now() + interval '1 hour' END
       FROM unnest(ARRAY['SUBMITTED', 'SUSPENDED', 'RUNNING', 'RUNNING', 'ERROR', 'ABORTED', 'COMPLETED'])
         WITH ORDINALITY AS old (status, place)`,
    );
    await database.query(
      `INSERT INTO jobs.steps (job_id, position, name, task, status) VALUES (5, 1, 'one', 'gzip', 'ERROR')`,
    );
    await database.query(`INSERT INTO jobs.effects VALUES (7, 1, '/a', 9, '{}')`);
    await database.query(
      `INSERT INTO jobs.history (job_id, to_status, transition, changed_by, message)
       SELECT id, 'SUBMITTED', 'submit', 'admin', 'line ' || id FROM jobs.jobs ORDER BY id`,
    );
    await migrate(db, jobsSchema);

    const register = createKnexJobRegister(db, { site: testSite });
    const { jobs: listed } = await register.list({ filters: {}, sort: { field: 'id', descending: false }, limit: 10 });
    const jobs = (await Promise.all(listed.map(({ id }) => register.find(id)))).filter((job) => job !== undefined);
    expect(jobs.map(({ id, status, statusMessage }) => [id, status, statusMessage])).toEqual([
      [1, 'SUBMITTED', 'SUBMITTED it is'],
      [2, 'SUSPENDED', 'SUSPENDED it is'],
      [3, 'RUNNING', 'RUNNING it is'],
      [4, 'RUNNING', 'RUNNING it is'],
      [5, 'ERROR', 'ERROR it is'],
      [6, 'ABORTED', 'ABORTED it is'],
      [7, 'COMPLETED', 'COMPLETED it is'],
    ]);
    expect(await register.findByIpid(Buffer.from([42]))).toMatchObject({ id: 7, extIPID: 'order' });
    const [, , , , failed, , completed] = jobs;
    expect(await register.stepsOf(existing(failed).id)).toMatchObject([{ position: 1, name: 'one', status: 'ERROR' }]);
    expect(await register.historyOf(existing(completed).id)).toMatchObject([{ message: 'line 7' }]);
    expect(await register.chainDepthOf('9')).toBe(1);
    expect(await register.add({ ...existing(failed), eventId: 'event "5" é' })).toBeUndefined();

    // No old worker runs any more: its job is claimed, as a suspect; the other one still waits for its retry.
    const ledger = createKnexJobLedger({ db, owner: 'new', leaseMs: 60_000, patienceMs: 60_000, site: testSite });
    const claimed = await ledger.claim([openQueue('q')], 10);
    expect(claimed.map(({ job, begunBefore, suspect }) => [job.id, begunBefore, suspect])).toEqual([
      [1, false, false],
      [2, false, false],
      [3, true, true],
    ]);
    const next = await register.add({ ...firstOf(jobs), extIPID: undefined });
    expect(next?.id).toBeGreaterThan(7);
    expect(await register.historyOf(existing(next).id)).toMatchObject([{ to: 'SUBMITTED' }]);
    expect(await register.resume(firstOf(jobs.slice(4)).id, { by: 'admin', message: 'again' })).toMatchObject({
      status: 'RUNNING',
    });
  } finally {
    await db.destroy();
  }
});

it('divides the jobs of a database that was migrated before into ranges of a million numbers', async () => {
  await using database = await createTestDatabase();
  const db = connectPostgres({ url: database.url, applicationName: 'test' });
  try {
    await migrate(db, directorySchema);
    await migrate(db, { ...jobsSchema, migrations: jobsSchema.migrations.slice(0, 3) });
    await database.query(
      `INSERT INTO jobs.jobs (id, submitted_by, queue, actor, contract, contract_type, contract_action,
         contract_action_trigger, workflow_template_id, workflow_template_name, workflow_template_revision,
         workflow_template_description, steps, variables, dfic, chain_depth)
       SELECT id, 'admin', 'q', 'acme', 'invoices', 'Mediation', 'report', 'OnDemand', 1, 'w', 1, '', '[]', '{}',
         '{"dfiid": "d", "lcid": "l"}', 1
       FROM unnest(ARRAY[3999999, 4000000, 6500000]) AS id`,
    );
    await database.query(`SELECT setval('jobs.job_ids', 6500000)`);
    await database.query(`INSERT INTO jobs.ended SELECT id, 'COMPLETED', '', now() FROM jobs.jobs`);
    await migrate(db, jobsSchema);
    const rows = await database.query(
      `SELECT jobs.tableoid::regclass::text AS jobs, ended.tableoid::regclass::text AS ended
       FROM jobs.jobs JOIN jobs.ended ON job_id = id ORDER BY id`,
    );
    expect(rows).toEqual([3, 4, 6].map((number) => ({ jobs: `jobs.jobs_${number}`, ended: `jobs.ended_${number}` })));
    expect(await database.query(`SELECT nextval('jobs.job_ids')::int AS next`)).toEqual([{ next: 6_500_001 }]);
    expect(await database.query(`SELECT to_regclass('jobs.history_8') IS NOT NULL AS ready`)).toEqual([
      { ready: true },
    ]);
  } finally {
    await db.destroy();
  }
});
