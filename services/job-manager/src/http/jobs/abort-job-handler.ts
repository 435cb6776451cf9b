import type { abortJobEndpoint } from '@waybill/contracts/endpoints/jobs/abort-job';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { JobControl } from '../../domain/jobs/control-jobs.ts';
import { presentJob } from './present-job.ts';

/** Stops a job. */
export function createAbortJobHandler({ control }: { control: JobControl }): EndpointHandler<typeof abortJobEndpoint> {
  return async ({ params, query, principal }) => ({
    status: 200,
    body: presentJob(await control.abort(params.id, { userName: principal.userName, reason: query.reason })),
  });
}
