import type { abortJobEndpoint } from '@waybill/contracts/endpoints/jobs/abort-job';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { JobControl } from '../../domain/jobs/control-jobs.ts';
import type { JobManagerEvents } from '../../events.ts';
import { presentJob } from './present-job.ts';

/** Stops a job. */
export function createAbortJobHandler({
  control,
  events,
}: {
  control: JobControl;
  events: Pick<JobManagerEvents, 'jobAborted'>;
}): EndpointHandler<typeof abortJobEndpoint> {
  return async ({ params, query, principal }) => {
    const job = await control.abort(params.id, { userName: principal.userName, reason: query.reason });
    events.jobAborted(job);
    return { status: 200, body: presentJob(job) };
  };
}
