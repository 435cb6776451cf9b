/**
 * The condition under which a worker may write: its hold is the newest. As a CTE it also locks the job until the
 * transaction ends, so that a takeover or an abort waits for the write, and the reverse.
 */
export const heldJob = `held AS (
  SELECT job_id AS id FROM jobs.active WHERE job_id = CAST(:jobId AS bigint) AND fence = CAST(:fence AS bigint) FOR NO KEY UPDATE)`;
