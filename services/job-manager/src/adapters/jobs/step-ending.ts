import type { LogLine, StepOutputs } from '../../domain/jobs/job-ledger.ts';
import { logLinesAtMost } from '../../domain/workflows/step-log.ts';

/** How a step ended; an `error` counts as a failure. */
export interface StepEnding {
  readonly position: number;
  readonly status: 'WAITING' | 'COMPLETED' | 'ERROR';
  readonly outputs?: StepOutputs;
  readonly error?: string;
  readonly log?: readonly LogLine[] | undefined;
}

/** The CTE `step` that writes down how a step of the job in the CTE `source` ended. */
export function stepEndingSql(source: 'held' | 'before'): string {
  return `step AS (
    UPDATE jobs.steps SET status = CAST(:stepStatus AS text), outputs = CAST(:outputs AS jsonb),
      error = coalesce(CAST(:error AS text), ''), updated_at = clock_timestamp(),
      failures = failures + CASE WHEN CAST(:error AS text) IS NULL THEN 0 ELSE 1 END,
      log = CASE WHEN CAST(:log AS jsonb) IS NULL THEN log WHEN log = '[]' THEN CAST(:log AS jsonb)
        ELSE jsonb_path_query_array(log || CAST(:log AS jsonb), '$[last - ${logLinesAtMost - 1} to last]') END
    FROM ${source} WHERE steps.job_id = ${source}.id AND steps.job_id = CAST(:jobId AS bigint) AND steps.position = CAST(:position AS integer)
    RETURNING steps.job_id)`;
}

/** The bindings of that CTE. */
export function endingBindings({ position, status, outputs = {}, error, log = [] }: StepEnding) {
  const lines = log.length > 0 ? JSON.stringify(log) : null;
  return { position, stepStatus: status, outputs: JSON.stringify(outputs), error: error ?? null, log: lines };
}
