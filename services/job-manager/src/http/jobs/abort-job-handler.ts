import type { abortJobEndpoint } from '@waybill/contracts/endpoints/jobs/abort-job';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { JobControl } from '../../domain/jobs/control-jobs.ts';
import { assertReached, type ReachParts } from '../../domain/jobs/job-reach.ts';
import { presentJob } from './present-job.ts';

/** Stops a job. */
export function createAbortJobHandler(
  parts: ReachParts & { readonly control: JobControl },
): EndpointHandler<typeof abortJobEndpoint> {
  return async ({ params, query, principal, actors }) => {
    await assertReached(parts, params.id, actors);
    const job = await parts.control.abort(params.id, { userName: principal.userName, reason: query.reason });
    return { status: 200, body: presentJob(job) };
  };
}
