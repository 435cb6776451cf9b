import type { abortJobEndpoint } from '@waybill/contracts/endpoints/jobs/abort-job';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { JobControl } from '../../domain/jobs/control-jobs.ts';
import { assertReached } from '../../domain/jobs/job-reach.ts';
import type { JobRegister } from '../../domain/jobs/job-register.ts';
import { presentJob } from './present-job.ts';

/** Stops a job. */
export function createAbortJobHandler(parts: {
  control: JobControl;
  register: Pick<JobRegister, 'find'>;
}): EndpointHandler<typeof abortJobEndpoint> {
  const { control, register } = parts;
  return async ({ params, query, principal, actors }) => {
    await assertReached(register, params.id, actors);
    const job = await control.abort(params.id, { userName: principal.userName, reason: query.reason });
    return { status: 200, body: presentJob(job) };
  };
}
