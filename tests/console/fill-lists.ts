import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlatformProcess } from '@waybill/end-to-end/platform-process';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';

/** Jobs to add. */
interface EndedJobs {
  readonly jobs: number;
  /** One of so many has failed. Default: none has. */
  readonly oneFailedOf?: number;
  /** How often the newest has changed. Default: 0. */
  readonly changes?: number;
}

/** Adds ended jobs, which no worker has run. Returns the number of the newest. */
export async function fillJobs(
  platform: PlatformProcess,
  { jobs, oneFailedOf = 0, changes = 0 }: EndedJobs,
): Promise<number> {
  await using db = await connect(platform);
  const { rows } = await db.raw<{ rows: { first: string }[] }>(
    `SELECT setval('jobs.job_ids', nextval('jobs.job_ids') + ?) - ? AS first`,
    [jobs, jobs],
  );
  const first = Number(rows[0]?.first);
  await db.raw(jobsSql, [first, first + jobs - 1]);
  await db.raw(
    `INSERT INTO jobs.ended (job_id, status, status_message, updated_at)
     SELECT id, CASE WHEN id % nullif(?::int, 0) = 0 THEN 'ERROR' ELSE 'COMPLETED' END, 'All steps are done (' || id || ')', created_at
     FROM jobs.jobs WHERE id BETWEEN ? AND ?`,
    [oneFailedOf, first, first + jobs - 1],
  );
  const last = first + jobs - 1;
  await db.raw(
    `INSERT INTO jobs.history (job_id, at, from_status, to_status, transition, changed_by, message)
     SELECT ?, now(), 'RUNNING', 'SUSPENDED', 'suspend', 'platform', 'Change ' || n
     FROM generate_series(1, ?::int) AS n`,
    [last, changes],
  );
  return last;
}

/** Audit records of the past. They are not in the tree of the log: nothing verifies them here. */
export async function fillAuditRecords(platform: PlatformProcess, records: number): Promise<void> {
  await using db = await connect(platform);
  await db.raw(
    `INSERT INTO audit.records (sequence, id, correlation_id, cluster_id, node_id, module, audit_code, audit_operation,
       dataone_user, entity_type, entity_name, entity_id, audit_message, audit_time, salt, recorded_at, hash)
     SELECT 1000000000 + n + (SELECT count(*) FROM audit.records), gen_random_uuid(), gen_random_uuid(), 'ENGINE', 'peer1', 'manager1 AUDIT', 'AUD0041A',
       'SERVER_UPLOAD_FILE', 'partner' || n % 50, 'File', '/inbox/' || n, n::text,
       'Server upload file /inbox/' || n || ' FilesetId ' || n, timestamptz '2026-01-01' + n * interval '1 second',
       '\\x00112233445566778899aabbccddeeff', now(), sha256(int8send(n))
     FROM generate_series(1, ?::bigint) AS n`,
    [records],
  );
}

/** Makes so many missed states of an expectation of the contract `invoices`, and removes those of before. */
export async function fillMissed(platform: PlatformProcess, expectation: string, states: number): Promise<void> {
  await using db = await connect(platform);
  await db.raw('DELETE FROM jobs.expectation_states WHERE expectation = ?', [expectation]);
  await db.raw(
    `INSERT INTO jobs.expectation_states (contract, expectation, kind, state, due_at, deadline_at, changed_at, actor_id)
     SELECT k.name, ?, 'due', 'missed', now() - n * interval '1 minute', now() - n * interval '1 minute', now(), k.actor_id
     FROM directory.contracts k, generate_series(1, ?::int) AS n WHERE k.name = 'invoices'`,
    [expectation, states],
  );
}

/** As the superuser: the services may not write what they have not done. */
async function connect({ folder, databaseUrl }: PlatformProcess): Promise<Database & AsyncDisposable> {
  const url = new URL(databaseUrl);
  url.username = 'waybill';
  url.password = await readFile(join(folder, 'postgres/password'), 'utf8');
  const db = connectPostgres({
    url: url.toString(),
    applicationName: 'test',
    poolSize: 1,
    statementTimeoutMs: 120_000,
  });
  return Object.assign(db, { [Symbol.asyncDispose]: () => db.destroy() });
}

const jobsSql = `
  INSERT INTO jobs.jobs (id, created_at, submitted_by, queue, actor, contract, contract_type, contract_action,
    contract_action_trigger, workflow_template_id, workflow_template_name, workflow_template_revision,
    workflow_template_description, steps, variables, dfic, chain_depth)
  SELECT n, now() - random() * interval '1 day', 'user' || n % 50, 'Default Queue', 'acme',
    'contract' || n % 40, 'Output', 'action', 'OnDemand', 1, 'template', 1, '', '[]', '{}',
    jsonb_build_object('dfiid', gen_random_uuid(), 'lcid', gen_random_uuid() || ':0', 'original_actor', 'acme'), 1
  FROM generate_series(?::bigint, ?::bigint) AS n`;
