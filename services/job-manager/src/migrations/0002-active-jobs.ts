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
    await trx.raw(claim);
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

/**
 * Claims jobs. Claims take turns, so that the parallelism of a queue is exact; the lock is released by the commit of this
 * one statement, which no client takes part in, and the rows are small enough not to wait for the client that reads them.
 * Each statement in it sees what the claim before has committed.
 *
 * First, jobs whose time has come become ready: those whose delay is over, and those whose worker has not renewed its
 * lease. Then the queues give their jobs: jobs that have begun continue in any queue, one at a time if the queue was
 * removed; the others begin if the queue is open. Among the queues the priority counts, and rises from 1 to 10 while a job
 * waits for as long as \`patience\`: so no queue waits for ever. Ties are broken by the job's number.
 */
const claim = `
  CREATE FUNCTION jobs.claim(queues jsonb, wanted int, claimant text, lease interval, patience interval)
  RETURNS TABLE (claimed_id bigint, token bigint, begun_before boolean, is_suspect boolean, lost_alone int) LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
  DECLARE
    moment timestamptz;
  BEGIN
    -- A claim that a crash of PostgreSQL undoes is made again: its commit need not wait for the disk.
    PERFORM set_config('synchronous_commit', 'off', true);
    PERFORM pg_advisory_xact_lock(hashtextextended('waybill claim jobs', 0));
    moment := clock_timestamp();
    UPDATE jobs.active SET ready = true, since = moment, due_at = NULL, owner = NULL, fence = NULL,
      suspect = suspect OR fence IS NOT NULL
    WHERE job_id = ANY (ARRAY(
      SELECT late.job_id FROM jobs.active late WHERE late.due_at <= moment
      ORDER BY late.due_at LIMIT 1000 FOR UPDATE SKIP LOCKED));
    RETURN QUERY
    WITH named AS (
      SELECT * FROM jsonb_to_recordset(queues) AS q (name text, enabled boolean, priority int, parallelism int)),
    known AS (
      SELECT * FROM named
      UNION ALL
      SELECT DISTINCT a.queue, false, 1, 1 FROM jobs.active a
      WHERE a.ready AND a.status = 'RUNNING' AND a.queue NOT IN (SELECT name FROM named)),
    open AS (
      SELECT known.*, known.parallelism - (
        SELECT count(*) FROM jobs.active a WHERE a.queue = known.name AND a.fence IS NOT NULL)::int AS room
      FROM known),
    found AS (
      SELECT open.priority, candidate.job_id, candidate.since
      FROM open CROSS JOIN LATERAL (
        (SELECT a.job_id, a.since FROM jobs.active a
         WHERE open.enabled AND a.ready AND a.queue BETWEEN open.name AND open.name ORDER BY a.queue, a.job_id LIMIT least(wanted, open.room))
        UNION ALL
        (SELECT a.job_id, a.since FROM jobs.active a
         WHERE NOT open.enabled AND a.ready AND a.status = 'RUNNING' AND a.queue BETWEEN open.name AND open.name
         ORDER BY a.queue, a.job_id LIMIT least(wanted, open.room))) AS candidate
      WHERE open.room > 0),
    chosen AS (
      SELECT found.job_id FROM found
      ORDER BY found.priority + 9 * extract(epoch FROM moment - found.since) / extract(epoch FROM patience) DESC, found.job_id
      LIMIT wanted),
    before AS (
      SELECT a.job_id, a.status FROM jobs.active a
      WHERE a.job_id = ANY (ARRAY(SELECT chosen.job_id FROM chosen)) AND a.ready FOR UPDATE SKIP LOCKED),
    claimed AS (
      UPDATE jobs.active a SET status = 'RUNNING', ready = false, owner = claimant, due_at = clock_timestamp() + lease,
        fence = hashtextextended(gen_random_uuid()::text, 0),
        status_message = CASE before.status WHEN 'RUNNING' THEN a.status_message ELSE 'Running' END,
        updated_at = CASE before.status WHEN 'RUNNING' THEN a.updated_at ELSE clock_timestamp() END
      FROM before WHERE a.job_id = before.job_id
      RETURNING a.job_id, a.fence, before.status, a.suspect, a.losses),
    noted AS (
      INSERT INTO jobs.history (job_id, from_status, to_status, transition, changed_by, message)
      SELECT claimed.job_id, claimed.status, 'RUNNING', 'start', 'platform', 'Running' FROM claimed
      WHERE claimed.status <> 'RUNNING')
    SELECT claimed.job_id, claimed.fence, claimed.status = 'RUNNING', claimed.suspect, claimed.losses FROM claimed
    ORDER BY claimed.job_id;
  END $$;`;
