import type { approveJobEndpoint, rejectJobEndpoint } from '@waybill/contracts/endpoints/jobs/decide-approval';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { JobControl } from '../../domain/jobs/control-jobs.ts';
import { assertReached, type ReachParts } from '../../domain/jobs/job-reach.ts';
import { presentJob } from './present-job.ts';

/** What the handlers need. */
interface DecisionParts extends ReachParts {
  readonly control: JobControl;
}

/** Approves a job that waits for it. */
export function createApproveJobHandler(parts: DecisionParts): EndpointHandler<typeof approveJobEndpoint> {
  return async ({ params, query, principal: { userName, roles }, actors }) => {
    await assertReached(parts, params.id, actors);
    return {
      status: 200,
      body: presentJob(await parts.control.decide(params.id, 'approved', { userName, roles, ...query })),
    };
  };
}

/** Rejects a job that waits for approval. */
export function createRejectJobHandler(parts: DecisionParts): EndpointHandler<typeof rejectJobEndpoint> {
  return async ({ params, query, principal: { userName, roles }, actors }) => {
    await assertReached(parts, params.id, actors);
    return {
      status: 200,
      body: presentJob(await parts.control.decide(params.id, 'rejected', { userName, roles, ...query })),
    };
  };
}
