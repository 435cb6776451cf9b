import type { ExpressionScope } from '@waybill/workflow/expressions/expression';
import { type StepEnd, type StepItem, scopeOfJob } from '@waybill/workflow/run/job-scope';
import type { Job } from '../jobs/job.ts';

/** When expressions are evaluated, and for which item of the step. */
interface Moment {
  readonly now?: Date;
  readonly item?: StepItem | undefined;
}

/** What the expressions of a step can name. `done`: the steps that have ended, by their positions. */
export function scopeOf(
  job: Job,
  done: ReadonlyMap<number, StepEnd>,
  { now = new Date(), item }: Moment = {},
): ExpressionScope {
  const { id, contract, contractAction: action, actor, queue, submittedBy, dfic, createdAt, file, variables } = job;
  return scopeOfJob({
    file,
    variables,
    dfic,
    now,
    item,
    steps: job.workflow.steps.map(
      ({ name, uses }, position) =>
        done.get(position) ?? { name, task: uses, status: 'WAITING', outputs: {}, error: '' },
    ),
    job: {
      id,
      contract,
      action,
      actor,
      queue,
      submittedBy,
      createdAt: createdAt.toISOString(),
      dfiid: dfic.dfiid,
      lcid: dfic.lcid,
    },
  });
}
