import type { resubmitJobEndpoint } from '@waybill/contracts/endpoints/jobs/resubmit-job';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { JobControl } from '../../domain/jobs/control-jobs.ts';
import { assertReached, type ReachParts } from '../../domain/jobs/job-reach.ts';
import type { JobManagerEvents } from '../../events.ts';
import { presentJob } from './present-job.ts';

/** Runs a job again, as a new one. */
export function createResubmitJobHandler(
  parts: ReachParts & { readonly control: JobControl; readonly events: JobManagerEvents },
): EndpointHandler<typeof resubmitJobEndpoint> {
  const { control, events } = parts;
  return async ({ params, query, principal, actors }) => {
    await assertReached(parts, params.id, actors);
    const { abort, extIPID, revision, reason } = query;
    const resubmission = { userName: principal.userName, reason, abort: abort === 'true', extIPID, revision };
    const { job, created } = await control.resubmit(params.id, resubmission);
    if (created) events.jobSubmitted(job);
    return { status: created ? 201 : 409, body: presentJob(job) };
  };
}
