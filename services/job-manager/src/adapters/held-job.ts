/**
 * The condition under which a worker may write: its hold is the newest and the job is running. As a CTE it also
 * locks the job until the transaction ends, so that a takeover or an abort waits for the write, and the reverse.
 */
export const heldJob = `held AS (
  SELECT id FROM jobs.jobs WHERE id = :jobId AND fence = :fence AND status = 'RUNNING' FOR NO KEY UPDATE)`;
