import type { StepOutputs } from '../domain/job-ledger.ts';

/** How a step ended; an `error` counts as a failure. */
export interface StepEnding {
  readonly position: number;
  readonly status: 'WAITING' | 'COMPLETED' | 'ERROR';
  readonly outputs?: StepOutputs;
  readonly error?: string;
}

/** The CTE `step` that writes down how a step of the job in the CTE `source` ended, with its bindings. */
export function stepEnding(source: 'held' | 'before', ending: StepEnding) {
  const { position, status, outputs = {}, error } = ending;
  return {
    sql: `step AS (
      UPDATE jobs.steps SET status = :stepStatus, outputs = :outputs, error = coalesce(:error, ''), updated_at = clock_timestamp(),
        failures = failures + CASE WHEN CAST(:error AS text) IS NULL THEN 0 ELSE 1 END
      FROM ${source} WHERE steps.job_id = ${source}.id AND steps.position = :position
      RETURNING steps.job_id)`,
    bindings: { position, stepStatus: status, outputs: JSON.stringify(outputs), error: error ?? null },
  };
}
