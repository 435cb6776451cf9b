import type { findJobEndpoint } from '@waybill/contracts/endpoints/jobs/find-job';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { JobControl } from '../../domain/jobs/control-jobs.ts';
import type { Queues } from '../../domain/queues/manage-queues.ts';
import { presentJob } from './present-job.ts';
import { presentStep } from './present-step.ts';
import { presentWait } from './present-wait.ts';

/** One job with its steps and its history, and what it waits for. */
export function createFindJobHandler({
  control,
  queues,
}: {
  control: JobControl;
  queues: Pick<Queues, 'explainWait'>;
}): EndpointHandler<typeof findJobEndpoint> {
  return async ({ params }) => {
    const { job, steps, history } = await control.find(params.id);
    const wait = await queues.explainWait(job.id);
    return {
      status: 200,
      body: {
        ...presentJob(job),
        ...(wait && presentWait(job, wait)),
        ...(job.resubmissionOf !== undefined && { resubmissionOf: job.resubmissionOf }),
        steps: steps.map((step) => presentStep(job, step)),
        history: history.map((change) => ({ ...change, at: change.at.toISOString(), from: change.from ?? null })),
      },
    };
  };
}
