import type { findJobEndpoint } from '@waybill/contracts/endpoints/jobs/find-job';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { JobControl } from '../../domain/jobs/control-jobs.ts';
import { presentJob } from './present-job.ts';
import { presentStep } from './present-step.ts';

/** One job with its steps and its history. */
export function createFindJobHandler({ control }: { control: JobControl }): EndpointHandler<typeof findJobEndpoint> {
  return async ({ params }) => {
    const { job, steps, history } = await control.find(params.id);
    return {
      status: 200,
      body: {
        ...presentJob(job),
        ...(job.resubmissionOf !== undefined && { resubmissionOf: job.resubmissionOf }),
        steps: steps.map((step) => presentStep(job, step)),
        history: history.map((change) => ({ ...change, at: change.at.toISOString(), from: change.from ?? null })),
      },
    };
  };
}
