import type { Database } from '@waybill/postgres/database';

/**
 * Fills an empty schema of jobs with SQL, as a platform of some months would have them: a few big contracts, nearly all jobs
 * completed, jobs that end in another order than they were created in, and rare values among the oldest jobs, where a
 * search from the newest on finds them last. Indexes are built afterwards.
 */
export async function fillJobs(db: Database, count: number): Promise<void> {
  const indexes = await takeIndexes(db);
  await db.raw(`SELECT setval('jobs.job_ids', ?)`, [count]);
  await db.raw('SELECT jobs.prepare_ranges(1)');
  // Ranges that were passed over, oldest first.
  for (let number = 0; number < Math.floor(count / 1_000_000); number += 1) await addRange(db, number);
  await db.raw('SELECT jobs.prepare_ranges(1)');
  await db.raw(jobsSql, [count]);
  await db.raw(endedSql, { ended: count - waiting });
  await db.raw(activeSql, { ended: count - waiting });
  for (const { definition } of indexes) await db.raw(definition);
  for (const table of await listPartitions(db)) await db.raw(`VACUUM (ANALYZE) ${table}`);
  await db.raw('VACUUM (ANALYZE) jobs.active');
}

/** As autovacuum does: it leaves partitioned tables themselves without statistics. */
async function listPartitions(db: Database): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits
     WHERE inhparent IN ('jobs.jobs'::regclass, 'jobs.ended'::regclass)`,
  );
  return rows.map(({ name }) => name);
}

/** Jobs that have not ended: the newest ones. */
const waiting = 2_000;

async function addRange(db: Database, number: number): Promise<void> {
  await db.raw(
    `CREATE TABLE IF NOT EXISTS jobs.jobs_${number} PARTITION OF jobs.jobs
     FOR VALUES FROM (${number * 1_000_000}) TO (${(number + 1) * 1_000_000})`,
  );
}

/** Drops the indexes that are no primary keys; returns how they are made again. */
export async function takeIndexes(db: Database): Promise<{ name: string; definition: string }[]> {
  const { rows } = await db.raw<{ rows: { name: string; definition: string }[] }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
     FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
     WHERE relnamespace = 'jobs'::regnamespace AND relname IN ('jobs', 'ended') AND NOT indisprimary`,
  );
  for (const { name } of rows) await db.raw(`DROP INDEX ${name}`);
  return rows.map(({ name, definition }) => ({ name, definition: definition.replace(' ON ONLY ', ' ON ') }));
}

/** The first 20 jobs have the rare values. */
const jobsSql = `
  INSERT INTO jobs.jobs (id, created_at, submitted_by, queue, actor, contract, contract_type, contract_action,
    contract_action_trigger, workflow_template_id, workflow_template_name, workflow_template_revision,
    workflow_template_description, steps, variables, file, dfic, chain_depth, ext_ipid)
  SELECT n, timestamptz '2026-01-01' + n * interval '1.5 seconds',
    CASE WHEN rare THEN 'rare' ELSE 'user' || n * 7 % 50 END,
    CASE WHEN rare THEN 'rare' ELSE 'queue' || least(n * 31 % 10, 4) END,
    CASE WHEN rare THEN 'rare' ELSE 'actor' || big % 30 END,
    CASE WHEN rare THEN 'rare' ELSE 'contract' || big END,
    CASE WHEN rare THEN 'Output' WHEN n % 3 = 0 THEN 'Input' ELSE 'Mediation' END,
    CASE WHEN rare THEN 'rare' ELSE 'action' || big * 2 + n % 2 END,
    CASE WHEN rare THEN 'Time' WHEN n % 4 = 0 THEN 'OnDemand' ELSE 'NewFile' END,
    CASE WHEN rare THEN 99 ELSE big % 20 + 1 END,
    CASE WHEN rare THEN 'rare' ELSE 'template' || big % 20 END,
    CASE WHEN rare THEN 9 ELSE n % 5 + 1 END,
    '', '[{"name": "write", "uses": "write-file", "with": {"path": "/outbox/report.txt", "text": "All is well."}}]',
    '{"folder": "/outbox", "name": "report"}', '{"path": "/inbox/report.csv", "name": "report.csv", "fileset": "1"}',
    jsonb_build_object('dfiid', md5('d' || n)::uuid, 'lcid', md5('l' || n)::uuid || ':0', 'original_actor', 'acme'),
    1, CASE WHEN n % 3 = 0 THEN 'order-' || n END
  FROM (
    SELECT n, n <= 20 AS rare, (40 * power((n::bigint * 7919 % 10007) / 10007.0, 3))::int AS big
    FROM generate_series(1, ?) AS n) AS given`;

const endedSql = `
  INSERT INTO jobs.ended (job_id, status, status_message, updated_at)
  SELECT id, CASE WHEN id % 50 = 0 THEN 'ERROR' WHEN id < 100 THEN 'ABORTED' ELSE 'COMPLETED' END, 'All steps are done (1)',
    created_at + power(id * 7919 % 1009 / 1009.0, 6) * interval '5 hours'
  FROM jobs.jobs WHERE id <= CAST(:ended AS bigint)`;

const activeSql = `
  INSERT INTO jobs.active (job_id, queue, status, status_message, updated_at, ready)
  SELECT id, queue, CASE WHEN id % 20 = 0 THEN 'SUSPENDED' ELSE 'SUBMITTED' END,
    'It waits', created_at, false
  FROM jobs.jobs WHERE id > CAST(:ended AS bigint)`;
