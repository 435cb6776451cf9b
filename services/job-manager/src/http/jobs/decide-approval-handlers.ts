import type { approveJobEndpoint, rejectJobEndpoint } from '@waybill/contracts/endpoints/jobs/decide-approval';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { JobControl } from '../../domain/jobs/control-jobs.ts';
import { presentJob } from './present-job.ts';

/** Approves a job that waits for it. */
export function createApproveJobHandler({
  control,
}: {
  control: JobControl;
}): EndpointHandler<typeof approveJobEndpoint> {
  return async ({ params, query: { reason }, principal: { userName, roles } }) => ({
    status: 200,
    body: presentJob(await control.decide(params.id, 'approved', { userName, roles, reason })),
  });
}

/** Rejects a job that waits for approval. */
export function createRejectJobHandler({
  control,
}: {
  control: JobControl;
}): EndpointHandler<typeof rejectJobEndpoint> {
  return async ({ params, query: { reason }, principal: { userName, roles } }) => ({
    status: 200,
    body: presentJob(await control.decide(params.id, 'rejected', { userName, roles, reason })),
  });
}
