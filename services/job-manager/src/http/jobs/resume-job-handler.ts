import type { resumeJobEndpoint } from '@waybill/contracts/endpoints/jobs/resume-job';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { JobControl } from '../../domain/jobs/control-jobs.ts';
import { presentJob } from './present-job.ts';

/** Resumes a job. */
export function createResumeJobHandler({
  control,
}: {
  control: JobControl;
}): EndpointHandler<typeof resumeJobEndpoint> {
  return async ({ params, query: { reason, revision }, principal }) => ({
    status: 200,
    body: presentJob(await control.resume(params.id, { userName: principal.userName, reason, revision })),
  });
}
