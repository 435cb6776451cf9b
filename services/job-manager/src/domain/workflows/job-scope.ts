import type { ExpressionScope } from '@waybill/workflow/expressions/expression';
import { type StepEnd, type StepItem, scopeOfJob } from '@waybill/workflow/run/job-scope';
import type { Job } from '../jobs/job.ts';

/** Where the steps of a workflow run that a step of the job runs. */
export interface CallFrame {
  /** The position of that step. */
  readonly parent: number;
  /** In front of the names of the steps in messages: `pack/`, or `pack[3]/` for an item. */
  readonly title: string;
  /** In front of their names in the ledger: `pack/`. */
  readonly path: string;
  /** Its inputs: the variables of the steps. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** The item that this step, or one around it, runs for. */
  readonly item?: number | undefined;
}

/** When expressions are evaluated, and for which item of the step. */
interface Moment {
  readonly now?: Date;
  readonly item?: StepItem | undefined;
  /** Of a step of a workflow that a step of the job runs. */
  readonly frame?: CallFrame | undefined;
}

/** What the expressions of a step can name. `done`: the steps of its workflow that have ended, by their positions. */
export function scopeOf(
  job: Job,
  done: ReadonlyMap<number, StepEnd>,
  { now = new Date(), item, frame }: Moment = {},
): ExpressionScope {
  const { id, contract, contractAction: action, actor, queue, submittedBy, dfic, createdAt, file, variables } = job;
  return scopeOfJob({
    file,
    variables: frame?.variables ?? variables,
    dfic,
    now,
    item,
    steps: job.workflow.steps.flatMap(({ name, uses, parent }, position) =>
      parent === frame?.parent
        ? [done.get(position) ?? { name, task: uses, status: 'WAITING', outputs: {}, error: '' }]
        : [],
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
