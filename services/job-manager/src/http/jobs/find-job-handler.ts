import type { findJobEndpoint } from '@waybill/contracts/endpoints/jobs/find-job';
import type { Directory } from '@waybill/directory/directory';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { JobControl } from '../../domain/jobs/control-jobs.ts';
import { reachesJob, unknownJob } from '../../domain/jobs/job-reach.ts';
import type { FindWait } from '../../domain/queues/find-wait.ts';
import type { FindOutputs } from '../../domain/workflows/find-outputs.ts';
import { presentChange } from './list-job-history-handler.ts';
import { presentJob } from './present-job.ts';
import { presentPlan } from './present-plan.ts';
import { presentStep } from './present-step.ts';
import { presentWait } from './present-wait.ts';

/** One job with its steps and its history, and what it waits for. */
export function createFindJobHandler({
  control,
  directory,
  findWait,
  findOutputs,
}: {
  control: JobControl;
  directory: Pick<Directory, 'findActor'>;
  findWait: FindWait;
  findOutputs: FindOutputs;
}): EndpointHandler<typeof findJobEndpoint> {
  return async ({ params, query, actors }) => {
    const { job, steps, history, items } = await control.find(params.id, query);
    if (!(await reachesJob(directory, job, actors))) throw unknownJob(params.id);
    const wait = await findWait(job.id);
    const outputs = await findOutputs(job, steps);
    return {
      status: 200,
      body: {
        ...presentJob(job),
        ...(wait && presentWait(job, wait)),
        ...(job.resubmissionOf !== undefined && { resubmissionOf: job.resubmissionOf }),
        ...(outputs && { outputs: { ...outputs } }),
        plan: presentPlan(job.workflow.steps),
        steps: steps.map((step) => presentStep(job, step, items)),
        history: history.map(presentChange),
      },
    };
  };
}
