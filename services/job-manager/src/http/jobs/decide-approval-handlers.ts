import type { approveJobEndpoint, rejectJobEndpoint } from '@waybill/contracts/endpoints/jobs/decide-approval';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { JobControl } from '../../domain/jobs/control-jobs.ts';
import { assertReached } from '../../domain/jobs/job-reach.ts';
import type { JobRegister } from '../../domain/jobs/job-register.ts';
import { presentJob } from './present-job.ts';

/** What the handlers need. */
interface DecisionParts {
  readonly control: JobControl;
  readonly register: Pick<JobRegister, 'find'>;
}

/** Approves a job that waits for it. */
export function createApproveJobHandler({
  control,
  register,
}: DecisionParts): EndpointHandler<typeof approveJobEndpoint> {
  return async ({ params, query, principal: { userName, roles }, actors }) => {
    await assertReached(register, params.id, actors);
    return {
      status: 200,
      body: presentJob(await control.decide(params.id, 'approved', { userName, roles, ...query })),
    };
  };
}

/** Rejects a job that waits for approval. */
export function createRejectJobHandler({
  control,
  register,
}: DecisionParts): EndpointHandler<typeof rejectJobEndpoint> {
  return async ({ params, query, principal: { userName, roles }, actors }) => {
    await assertReached(register, params.id, actors);
    return {
      status: 200,
      body: presentJob(await control.decide(params.id, 'rejected', { userName, roles, ...query })),
    };
  };
}
