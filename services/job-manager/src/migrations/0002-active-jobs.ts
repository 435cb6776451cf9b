import type { Migration } from '@waybill/postgres/migrate';

/**
 * What changes of a job moves out of `jobs.jobs`, whose rows are written once from now on. `active` holds the jobs that
 * wait or run: a small table, however many jobs have ended. `ended` holds how the others ended. The keys of submissions
 * are kept apart, so that they can outlive the jobs.
 */
export const activeJobs: Migration = {
  name: '0002_active_jobs',
  up: async (trx) => {
    await trx.raw(tables);
    await trx.raw(moveJobs);
    await trx.raw(shrinkJobs);
    await trx.raw(indexes);
  },
};

/**
 * `ready`: a worker may claim the job. `due_at`: when that changes by itself: the end of a delay or a wait, or the end of
 * the lease of the worker that runs the job. `fence`: the token of that worker; each claim draws a new one at random, so
 * that a claim that a crash of PostgreSQL has undone never shares its token with a later one. `suspect`: a worker was
 * lost while it ran this step; `losses`: how many processes have died since that ran this job alone.
 */
const tables = `
  CREATE TABLE jobs.active (
    job_id bigint PRIMARY KEY,
    queue text NOT NULL,
    status text NOT NULL CHECK (status IN ('SUBMITTED', 'SUSPENDED', 'RUNNING')),
    status_message text NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    ready boolean NOT NULL DEFAULT true,
    due_at timestamptz,
    fence bigint,
    owner text,
    suspect boolean NOT NULL DEFAULT false,
    losses integer NOT NULL DEFAULT 0,
    since timestamptz NOT NULL DEFAULT clock_timestamp(),
    CHECK (NOT ready OR (due_at IS NULL AND fence IS NULL)),
    CHECK (fence IS NULL OR (status = 'RUNNING' AND due_at IS NOT NULL))
  ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
  CREATE TABLE jobs.ended (
    job_id bigint PRIMARY KEY REFERENCES jobs.jobs (id) ON DELETE CASCADE,
    status text NOT NULL CHECK (status IN ('ERROR', 'ABORTED', 'COMPLETED')),
    status_message text NOT NULL,
    updated_at timestamptz(3) NOT NULL
  );
  CREATE TABLE jobs.idempotency_keys (
    key bytea PRIMARY KEY,
    job_id bigint NOT NULL
  );
  CREATE SEQUENCE jobs.job_ids;`;

const moveJobs = `
  INSERT INTO jobs.active (job_id, queue, status, status_message, updated_at, ready, due_at, suspect, since)
  SELECT id, queue, status, status_message, updated_at, run_after IS NULL, run_after, lease_until IS NOT NULL, created_at
  FROM jobs.jobs WHERE status IN ('SUBMITTED', 'SUSPENDED', 'RUNNING');
  INSERT INTO jobs.ended (job_id, status, status_message, updated_at)
  SELECT id, status, status_message, updated_at FROM jobs.jobs WHERE status IN ('ERROR', 'ABORTED', 'COMPLETED');
  INSERT INTO jobs.idempotency_keys (key, job_id) SELECT ipid, id FROM jobs.jobs WHERE ipid IS NOT NULL;
  SELECT setval('jobs.job_ids', (SELECT coalesce(max(id), 0) + 1 FROM jobs.jobs), false);`;

const shrinkJobs = `
  DROP INDEX jobs.jobs_waiting, jobs.jobs_running;
  ALTER TABLE jobs.jobs
    DROP COLUMN status, DROP COLUMN status_message, DROP COLUMN updated_at, DROP COLUMN ipid, DROP COLUMN fence,
    DROP COLUMN lease_until, DROP COLUMN lease_owner, DROP COLUMN run_after, DROP COLUMN workflow_instance_id,
    ALTER COLUMN created_at SET DEFAULT clock_timestamp(),
    ALTER COLUMN id DROP IDENTITY;
  ALTER TABLE jobs.jobs ALTER COLUMN id SET DEFAULT nextval('jobs.job_ids');
  ALTER SEQUENCE jobs.job_ids OWNED BY jobs.jobs.id;
  ALTER TABLE jobs.active ADD FOREIGN KEY (job_id) REFERENCES jobs.jobs (id) ON DELETE CASCADE;
  ALTER TABLE jobs.steps ALTER COLUMN updated_at SET DEFAULT clock_timestamp();`;

/** One for each way to find a job to claim, and one for each filter and order of a listing. */
const indexes = `
  CREATE INDEX active_ready ON jobs.active (queue, job_id) WHERE ready;
  CREATE INDEX active_continuing ON jobs.active (queue, job_id) WHERE ready AND status = 'RUNNING';
  CREATE INDEX active_due ON jobs.active (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX active_held ON jobs.active (queue) WHERE fence IS NOT NULL;
  CREATE INDEX active_suspended ON jobs.active (queue, job_id) WHERE status = 'SUSPENDED' AND NOT ready;
  CREATE INDEX active_status ON jobs.active (status, job_id);
  CREATE INDEX active_updated ON jobs.active (updated_at, job_id);
  CREATE INDEX ended_status ON jobs.ended (status, job_id);
  CREATE INDEX ended_updated ON jobs.ended (updated_at, job_id);
  CREATE INDEX jobs_queue ON jobs.jobs (queue, id);
  CREATE INDEX jobs_template ON jobs.jobs (workflow_template_id, id);
  CREATE INDEX jobs_template_name ON jobs.jobs (workflow_template_name, id);
  CREATE INDEX jobs_template_revision ON jobs.jobs (workflow_template_revision, id);
  CREATE INDEX jobs_created ON jobs.jobs (created_at, id);
  CREATE INDEX jobs_submitted_by ON jobs.jobs (submitted_by, id);
  CREATE INDEX jobs_actor ON jobs.jobs (actor, id);
  CREATE INDEX jobs_action ON jobs.jobs (contract_action, id);
  CREATE INDEX jobs_type ON jobs.jobs (contract_type, id);
  CREATE INDEX jobs_trigger ON jobs.jobs (contract_action_trigger, id);`;
