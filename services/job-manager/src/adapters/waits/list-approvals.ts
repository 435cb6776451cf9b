import { isOfPresentActor } from '@waybill/directory/access/present-actor-sql';
import type { Database } from '@waybill/postgres/database';
import type { ListApprovals, WaitingApproval } from '../../domain/jobs/waiting-approval.ts';

interface ApprovalRow extends Omit<WaitingApproval, 'job'> {
  readonly job: string;
}

/** Lists the jobs that wait for an approval, from the index of the jobs that wait at a step. */
export function createApprovalList(db: Database): ListApprovals {
  return async ({ after = 0, limit, decidable, ...filters }) => {
    const { actor = null, actors = null, contract = null, contractAction = null, step = null, job = null } = filters;
    const { rows } = await db.raw<{ rows: ApprovalRow[] }>(
      `SELECT active.job_id AS job, jobs.actor, jobs.contract, jobs.contract_action AS "contractAction",
         jobs.submitted_by AS "submittedBy", active.wait ->> 'step' AS step, active.wait ->> 'message' AS message,
         COALESCE(active.wait ->> 'question', active.wait ->> 'message') AS question,
         active.wait -> 'approvers' AS approvers, active.since, active.wait ->> 'until' AS until
       FROM jobs.active JOIN jobs.jobs ON jobs.id = active.job_id
       WHERE active.wait IS NOT NULL AND active.wait ->> 'kind' = 'approval' AND active.status = 'SUSPENDED'
         AND active.due_at IS NOT NULL AND active.job_id > :after
         AND (CAST(:job AS bigint) IS NULL OR active.job_id = :job)
         AND (CAST(:step AS text) IS NULL OR active.wait ->> 'step' = :step)
         AND (CAST(:actor AS text) IS NULL OR jobs.actor = :actor)
         AND (CAST(:actors AS text[]) IS NULL OR (jobs.actor = ANY (CAST(:actors AS text[])) AND ${isOfPresentActor}))
         AND (CAST(:contract AS text) IS NULL OR jobs.contract = :contract)
         AND (CAST(:contractAction AS text) IS NULL OR jobs.contract_action = :contractAction)
         AND (CAST(:isDecidable AS boolean) IS NULL
           OR jsonb_exists_any(active.wait -> 'approvers', CAST(:names AS text[])) = :isDecidable)
       ORDER BY active.job_id LIMIT :limit`,
      {
        actor,
        actors: actors && [...actors],
        contract,
        contractAction,
        step,
        job,
        after,
        isDecidable: decidable?.is ?? null,
        names: [...(decidable?.by ?? [])],
        limit: limit + 1,
      },
    );
    const approvals = rows.slice(0, limit).map((row) => ({ ...row, job: Number(row.job) }));
    return { approvals, next: rows.length > limit ? approvals.at(-1)?.job : undefined };
  };
}
