import type { resumeJobEndpoint } from '@waybill/contracts/endpoints/jobs/resume-job';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { JobControl } from '../../domain/jobs/control-jobs.ts';
import { assertReached, type ReachParts } from '../../domain/jobs/job-reach.ts';
import { presentJob } from './present-job.ts';

/** Resumes a job. */
export function createResumeJobHandler(
  parts: ReachParts & { readonly control: JobControl },
): EndpointHandler<typeof resumeJobEndpoint> {
  return async ({ params, query: { reason, revision }, principal, actors }) => {
    await assertReached(parts, params.id, actors);
    const job = await parts.control.resume(params.id, { userName: principal.userName, reason, revision });
    return { status: 200, body: presentJob(job) };
  };
}
