import type { Migration } from '@waybill/postgres/migrate';

/**
 * Claims and the progress of jobs, at a cost that does not grow with the backlog, nor with the rows that have left `active`
 * since its last vacuum. All of it reads `active` through plain index scans: unlike a bitmap scan, such a scan marks the
 * index entries of rows that are gone, and the next one skips them. A plan that was made while the table was small must
 * not read all of it later. The functions use columns of later migrations, which they look up when they run.
 */
export const batchedEngine: Migration = {
  name: '0005_batched_engine',
  up: async (trx) => {
    await trx.raw(indexes);
    await trx.raw(claim);
    await trx.raw(beginSteps);
    await trx.raw(completeSteps);
  },
};

const settings = 'SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off';

/** Entries of one value are merged into one, which can be marked only when all of its rows are gone: the number makes them differ. */
const indexes = `
  DROP INDEX jobs.active_held;
  CREATE INDEX active_held ON jobs.active (queue, job_id) WHERE fence IS NOT NULL;`;

/**
 * Claims jobs. Claims take turns, so that the parallelism of a queue is exact; the lock is released by the commit of this
 * one statement, which no client takes part in, and the rows are small enough not to wait for the client that reads them.
 * Each statement in it sees what the claim before has committed.
 *
 * First, jobs whose time has come become ready: those whose delay is over, and those whose worker has
 * not renewed its lease. Then the queues give their jobs: jobs that have begun continue in any queue, one at a time if the
 * queue was removed; the others begin if the queue is open. Among the queues the priority counts, and rises by 9
 * while a job waits for as long as \`patience\`, to 11 at most: so no queue waits for ever. Queues whose jobs are that urgent
 * take turns at random, so that a long backlog does not keep out what is urgent, either. Ties are broken by the job's number.
 *
 * BETWEEN and the order by queue and number leave one index that serves: with \`=\` and the number alone, statistics of a table
 * with jobs of one queue only make PostgreSQL walk the primary key through all of them.
 */
const claim = `
  CREATE FUNCTION jobs.claim(queues jsonb, wanted int, claimant text, lease interval, patience interval)
  RETURNS TABLE (claimed_id bigint, token bigint, begun_before boolean, is_suspect boolean, lost_alone int)
  LANGUAGE plpgsql ${settings} AS $$
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
    open AS MATERIALIZED (
      SELECT known.*, known.parallelism - (
        SELECT count(*) FROM jobs.active a WHERE a.queue = known.name AND a.fence IS NOT NULL)::int AS room
      FROM known),
    found AS (
      SELECT candidate.job_id, row_number() OVER (PARTITION BY open.name ORDER BY candidate.job_id) AS place,
        least(open.priority + 9 * extract(epoch FROM moment - candidate.since) / extract(epoch FROM patience), 11) AS urgency
      FROM open CROSS JOIN LATERAL (
        (SELECT a.job_id, a.since FROM jobs.active a
         WHERE open.enabled AND a.ready AND a.queue BETWEEN open.name AND open.name
         ORDER BY a.queue, a.job_id LIMIT least(wanted, open.room))
        UNION ALL
        (SELECT a.job_id, a.since FROM jobs.active a
         WHERE NOT open.enabled AND a.ready AND a.status = 'RUNNING' AND a.queue BETWEEN open.name AND open.name
         ORDER BY a.queue, a.job_id LIMIT least(wanted, open.room))) AS candidate
      WHERE open.room > 0),
    chosen AS (
      SELECT found.job_id FROM found
      ORDER BY found.urgency DESC, CASE WHEN found.urgency = 11 THEN found.place + random() END, found.job_id
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

/** The jobs of \`given\` that are still held, locked; those that another transaction has locked are left out. */
const held = `held AS MATERIALIZED (
      SELECT given.*, found.losses AS lost_alone FROM given CROSS JOIN LATERAL (
        SELECT a.losses FROM jobs.active a
        WHERE a.job_id = given.id AND a.fence = given.token AND a.status = 'RUNNING' FOR UPDATE SKIP LOCKED) AS found)`;

/**
 * Begins a step of each of several jobs: as \`jobs begin step\` does for one. Returns those that were begun; the others are
 * no longer held, or locked by another transaction, for which this one does not wait.
 */
const beginSteps = `
  CREATE FUNCTION jobs.begin_steps(ids bigint[], tokens bigint[], positions int[], names text[], tasks text[], parameters jsonb[])
  RETURNS TABLE (begun_id bigint, begun_attempts int, begun_failures int, begun_losses int, begun_losses_alone int)
  LANGUAGE plpgsql ${settings} AS $$
  BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    RETURN QUERY
    WITH given AS (
      SELECT * FROM unnest(ids, tokens, positions, names, tasks, parameters) AS g (id, token, place, name, task, inputs)),
    ${held},
    begun AS (
      INSERT INTO jobs.steps AS s (job_id, position, name, task, status, inputs)
      SELECT held.id, held.place, held.name, held.task, 'RUNNING', held.inputs FROM held
      ON CONFLICT (job_id, position) DO UPDATE SET status = 'RUNNING', attempts = s.attempts + 1,
        losses = s.losses + CASE WHEN s.status = 'RUNNING' THEN 1 ELSE 0 END, updated_at = clock_timestamp(),
        begun_at = clock_timestamp(), inputs = excluded.inputs
      RETURNING s.job_id, s.attempts, s.failures, s.losses)
    SELECT begun.job_id, begun.attempts, begun.failures, begun.losses, held.lost_alone
    FROM begun JOIN held ON held.id = begun.job_id;
  END $$;`;

/**
 * Completes a step of each of several jobs, and with it the job if a message is given. Returns those that were completed;
 * the others are no longer held, or locked by another transaction, for which this one does not wait.
 */
const completeSteps = `
  CREATE FUNCTION jobs.complete_steps(ids bigint[], tokens bigint[], positions int[], results jsonb[], messages text[],
    logs jsonb[], lines_kept int)
  RETURNS SETOF bigint LANGUAGE plpgsql ${settings} AS $$
  BEGIN
    RETURN QUERY
    WITH given AS (
      SELECT * FROM unnest(ids, tokens, positions, results, messages, logs) AS g (id, token, place, result, message, log)),
    ${held},
    step AS (
      UPDATE jobs.steps s SET status = 'COMPLETED', outputs = held.result, error = '', updated_at = clock_timestamp(),
        log = CASE WHEN held.log IS NULL THEN s.log WHEN s.log = '[]' THEN held.log
          ELSE jsonb_path_query_array(s.log || held.log, '$[last - $before to last]',
            jsonb_build_object('before', lines_kept - 1)) END
      FROM held WHERE s.job_id = held.id AND s.position = held.place),
    over AS (
      DELETE FROM jobs.active a USING held WHERE a.job_id = held.id AND held.message IS NOT NULL),
    ended AS (
      INSERT INTO jobs.ended (job_id, status, status_message, updated_at)
      SELECT held.id, 'COMPLETED', held.message, clock_timestamp() FROM held WHERE held.message IS NOT NULL),
    noted AS (
      INSERT INTO jobs.history (job_id, from_status, to_status, transition, changed_by, message)
      SELECT held.id, 'RUNNING', 'COMPLETED', 'complete', 'platform', held.message FROM held
      WHERE held.message IS NOT NULL)
    SELECT held.id FROM held;
  END $$;`;
