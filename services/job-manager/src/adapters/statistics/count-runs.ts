import type { Database, Transaction } from '@waybill/postgres/database';

/** How often ended jobs are counted. */
export const countIntervalMs = 30_000;

/** Time of the history that one transaction counts at most, and how many follow each other. */
const slice = `interval '1 minute'`;
const slicesAtOnce = 60;

/** How long the counts are kept. */
const kept = `interval '92 days'`;

/**
 * Counts the jobs that have ended since the last time. Of several processes, one does it. Returns whether all was counted
 * that could be.
 */
export async function countRuns(db: Database): Promise<boolean> {
  for (let count = 0; count < slicesAtOnce; count += 1) {
    const outcome = await db.transaction(countSlice);
    if (outcome !== 'more') return outcome === 'done';
  }
  return false;
}

async function countSlice(trx: Transaction): Promise<'more' | 'done' | 'elsewhere'> {
  const { rows } = await trx.raw<{ rows: { since: Date; until: Date; more: boolean }[] }>(bounds);
  const [row] = rows;
  if (!row) return 'elsewhere';
  const { since, until, more } = row;
  if (until <= since) return 'done';
  await trx.raw(counting, { since, until });
  await trx.raw('UPDATE jobs.statistics_progress SET counted_until = ?', [until]);
  for (const table of ['run_statistics', 'run_durations']) {
    await trx.raw(`DELETE FROM jobs.${table} WHERE hour < clock_timestamp() - ${kept}`);
  }
  return more ? 'more' : 'done';
}

/**
 * A slice ends before every transaction that may still add endings to it has begun: those that add some are of this role, whose
 * times it can see. One that takes longer than ten minutes does not hold up the counts.
 */
const bounds = `
  SELECT counted_until AS since, least(counted_until + ${slice}, stable.until) AS until,
    counted_until + ${slice} < stable.until AS more
  FROM (SELECT counted_until FROM jobs.statistics_progress FOR UPDATE SKIP LOCKED) AS progress, (
    SELECT date_trunc('milliseconds', least(clock_timestamp(), min(xact_start))) - interval '1 millisecond' AS until
    FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND xact_start > clock_timestamp() - interval '10 minutes') AS stable`;

/**
 * A run begins with the start or the resumption of a job and ends with a status. The abort of a job that has failed before is no
 * other run. Waiting time is from the submission to the start.
 */
const counting = `
  WITH endings AS MATERIALIZED (
    SELECT date_trunc('hour', ending.at, 'UTC') AS hour, job.contract, job.contract_action AS action, job.queue,
      ending.job_id, ending.id, ending.at, ending.to_status, ending.message,
      CASE WHEN ending.from_status = 'RUNNING' THEN greatest(1, 1000 * extract(epoch FROM ending.at - begun.at)) END::float8
        AS run_ms,
      CASE WHEN begun.transition = 'start' THEN greatest(1, 1000 * extract(epoch FROM begun.at - job.created_at)) END::float8
        AS wait_ms
    FROM jobs.history ending JOIN jobs.jobs job ON job.id = ending.job_id
    LEFT JOIN LATERAL (
      SELECT at, transition FROM jobs.history
      WHERE job_id = ending.job_id AND id < ending.id AND to_status = 'RUNNING' ORDER BY id DESC LIMIT 1) AS begun ON true
    WHERE ending.at >= :since AND ending.at < :until AND ending.to_status IN ('COMPLETED', 'ERROR', 'ABORTED')
      AND ending.from_status <> 'ERROR'),
  counted AS (
    INSERT INTO jobs.run_statistics AS kept (hour, contract, action, queue, completed, failed, aborted, longest_ms,
      last_at, last_job, last_outcome, failed_at, failed_job, failed_message)
    SELECT hour, contract, action, queue, count(*) FILTER (WHERE to_status = 'COMPLETED'),
      count(*) FILTER (WHERE to_status = 'ERROR'), count(*) FILTER (WHERE to_status = 'ABORTED'), max(run_ms),
      max(at), (array_agg(job_id ORDER BY at DESC, id DESC))[1], (array_agg(to_status ORDER BY at DESC, id DESC))[1],
      max(at) FILTER (WHERE to_status = 'ERROR'),
      (array_agg(job_id ORDER BY at DESC, id DESC) FILTER (WHERE to_status = 'ERROR'))[1],
      (array_agg(message ORDER BY at DESC, id DESC) FILTER (WHERE to_status = 'ERROR'))[1]
    FROM endings GROUP BY hour, contract, action, queue
    ON CONFLICT (hour, contract, action, queue) DO UPDATE SET
      completed = kept.completed + excluded.completed, failed = kept.failed + excluded.failed,
      aborted = kept.aborted + excluded.aborted, longest_ms = greatest(kept.longest_ms, excluded.longest_ms),
      last_at = excluded.last_at, last_job = excluded.last_job, last_outcome = excluded.last_outcome,
      failed_at = coalesce(excluded.failed_at, kept.failed_at), failed_job = coalesce(excluded.failed_job, kept.failed_job),
      failed_message = coalesce(excluded.failed_message, kept.failed_message))
  INSERT INTO jobs.run_durations AS kept (hour, contract, action, queue, measure, bucket, jobs)
  SELECT hour, contract, action, queue, measure, ceil(4 * ln(ms) / ln(2.0::float8))::smallint AS bucket, count(*)
  FROM endings, LATERAL (VALUES ('run', run_ms), ('wait', wait_ms)) AS measured (measure, ms)
  WHERE ms IS NOT NULL GROUP BY hour, contract, action, queue, measure, bucket
  ON CONFLICT (hour, contract, action, queue, measure, bucket) DO UPDATE SET jobs = kept.jobs + excluded.jobs`;
