import { userNameSchema } from '@waybill/contracts/values/user-name';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listJobs } from '../src/adapters/jobs/list-jobs.ts';
import type { JobQuery } from '../src/domain/jobs/job-query.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager({ ROLE: 'api' });
const jobCount = 30_000;
const namesOfEach = 60;
let db: Database;

beforeAll(async () => {
  // One connection, whose counters are complete after each statement.
  db = connectPostgres({ url: site.platform.database.url, applicationName: 'test of parts', poolSize: 1 });
  await db.raw(
    `INSERT INTO jobs.jobs (id, created_at, submitted_by, queue, actor, contract, contract_type, contract_action,
       contract_action_trigger, workflow_template_id, workflow_template_name, workflow_template_revision,
       workflow_template_description, steps, variables, dfic, chain_depth)
     SELECT n, now(), 'user' || n % ${namesOfEach}, 'Default Queue', 'acme', 'Contract ' || n % ${namesOfEach}, 'Output', 'action',
       'OnDemand', 1, 'template', 1, '', '[]', '{}', jsonb_build_object('dfiid', 'd' || n, 'lcid', 'l', 'original_actor', 'acme'), 1
     FROM generate_series(1, ${jobCount}) AS n`,
  );
  await db.raw(
    `INSERT INTO jobs.ended (job_id, status, status_message, updated_at)
     SELECT n, 'COMPLETED', '', now() FROM generate_series(1, ${jobCount}) AS n`,
  );
  await db.raw('ANALYZE jobs.jobs, jobs.ended');
});
afterAll(() => db.destroy());

/** The rows of jobs that were read so far, in whatever way. */
async function rowsRead(): Promise<number> {
  await db.raw('SELECT pg_stat_force_next_flush()');
  const { rows } = await db.raw<{ rows: { sum: string }[] }>(
    `SELECT sum(seq_tup_read + idx_tup_fetch) + (
       SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE schemaname = 'jobs') AS sum
     FROM pg_stat_user_tables WHERE schemaname = 'jobs'`,
  );
  return Number(rows[0]?.sum);
}

const page = { sort: { field: 'id', descending: true }, limit: 100 } as const;

async function costOf(filters: JobQuery['filters']): Promise<{ found: number; read: number }> {
  const before = await rowsRead();
  const { jobs } = await listJobs(db, { ...page, filters });
  return { found: jobs.length, read: (await rowsRead()) - before };
}

const contracts = [1, ...Array.from({ length: 10 }, (_, index) => index + 10)].map((n) => `Contract ${n}`);

it.each([
  [{ contractPart: 'TRACT 7' }, [{ contract: 'Contract 7' }]],
  [{ contractPart: 'tract 1' }, contracts.map((contract) => ({ contract }))],
  [
    { contractPart: 'tract 1', submittedByPart: 'R11' },
    contracts.map((contract) => ({ contract, submittedBy: userNameSchema.parse('user11') })),
  ],
  [{ contractPart: 'tract 7', status: 'COMPLETED' }, [{ contract: 'Contract 7', status: 'COMPLETED' }]],
  [{ contractPart: 'no such' }, []],
])('a page of the jobs that match %j costs what those of the whole names do', async (filters, whole) => {
  const { found, read } = await costOf(filters);
  expect(found).toBe(whole.length === 0 ? 0 : page.limit);
  let ofWhole = 0;
  for (const one of whole) ofWhole += (await costOf(one)).read;
  // Besides, a few rows of each name that is looked at.
  expect(read).toBeLessThan(ofWhole + 20 * namesOfEach);
});

it('a part is text, whatever its letters mean elsewhere, and is one with the whole name if both are asked for', async () => {
  for (const contractPart of ['%', '_', "' OR true --", '\\', '*', 'İ'])
    expect((await listJobs(db, { ...page, filters: { contractPart } })).jobs, contractPart).toEqual([]);
  const both = { contractPart: 'TRACT 7', contract: 'Contract 7' };
  expect((await listJobs(db, { ...page, filters: both })).jobs).toHaveLength(page.limit);
  expect((await listJobs(db, { ...page, filters: { ...both, contract: 'Contract 8' } })).jobs).toEqual([]);
  for (const part of ['', 'a%00b', 'x'.repeat(257)]) {
    const bearer = site.manager.admin;
    const { status } = await site.manager.client.get(`/job-manager/jobs?contractPart=${part}`, { bearer });
    expect(status, part.slice(0, 9)).toBe(400);
  }
});

it('a part that very many names have is refused, and says what to do', async () => {
  for (const filters of [{ contractPart: 'contract' }, { contractPart: 't 1', submittedByPart: 'user' }])
    await expect(listJobs(db, { ...page, filters })).rejects.toMatchObject({ code: 'validation_failed' });
  const { status, text } = await site.manager.client.get('/job-manager/jobs?contractPart=CONTRACT', {
    bearer: site.manager.admin,
  });
  expect(status).toBe(400);
  expect(text).toContain('is a part of more than 50 names: ask for a longer one');
});
