import type { submitJobEndpoint } from '@waybill/contracts/endpoints/jobs/submit-job';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { SubmitJob } from '../../domain/jobs/submit-job.ts';
import type { JobManagerEvents } from '../../events.ts';
import { presentJob } from './present-job.ts';

/** B1. */
export function createSubmitJobHandler(parts: {
  submitJob: SubmitJob;
  events: JobManagerEvents;
}): EndpointHandler<typeof submitJobEndpoint> {
  const { submitJob, events } = parts;
  return async ({ principal, actors, body }) => {
    const { job, created } = await submitJob({ userName: principal.userName, actors, ...body });
    if (created) events.jobSubmitted(job);
    return { status: created ? 201 : 409, body: presentJob(job) };
  };
}
