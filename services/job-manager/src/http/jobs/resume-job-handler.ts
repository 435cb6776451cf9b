import type { resumeJobEndpoint } from '@waybill/contracts/endpoints/jobs/resume-job';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { JobControl } from '../../domain/jobs/control-jobs.ts';
import { assertReached } from '../../domain/jobs/job-reach.ts';
import type { JobRegister } from '../../domain/jobs/job-register.ts';
import { presentJob } from './present-job.ts';

/** Resumes a job. */
export function createResumeJobHandler(parts: {
  control: JobControl;
  register: Pick<JobRegister, 'find'>;
}): EndpointHandler<typeof resumeJobEndpoint> {
  const { control, register } = parts;
  return async ({ params, query: { reason, revision }, principal, actors }) => {
    await assertReached(register, params.id, actors);
    const job = await control.resume(params.id, { userName: principal.userName, reason, revision });
    return { status: 200, body: presentJob(job) };
  };
}
