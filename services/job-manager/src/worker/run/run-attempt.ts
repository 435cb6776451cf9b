import { workflowCall } from '@waybill/contracts/configuration/workflow-step';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { ItemEnd } from '@waybill/workflow/run/job-scope';
import { Interruption } from '../../domain/jobs/interruption.ts';
import type { JobLedger, StepAttempt, StepOutputs } from '../../domain/jobs/job-ledger.ts';
import { type StepWait, Suspension } from '../../domain/queues/step-wait.ts';
import type { Compute } from '../../domain/workflows/computation.ts';
import { decideAfterFailure, type NextMove } from '../../domain/workflows/decide-after-failure.ts';
import { describeFailure } from '../../domain/workflows/describe-failure.ts';
import { describeInputs } from '../../domain/workflows/describe-inputs.ts';
import { createStepLog, type StepLog } from '../../domain/workflows/step-log.ts';
import type { JobFiles, TaskContext } from '../../domain/workflows/task.ts';
import type { JobManagerEvents } from '../../events.ts';
import type { TaskTable } from '../../tasks/task-table.ts';
import { attemptStep } from './attempt-step.ts';
import { pathOf, type StepRun, titleOf } from './step-run.ts';

/** What attempts of steps need. */
export interface AttemptOptions {
  readonly ledger: Pick<JobLedger, 'beginStep'>;
  readonly tasks: TaskTable;
  readonly filesFor: (run: StepRun, attempt: number) => JobFiles;
  readonly connectionsFor: (run: StepRun, attempt: { step: string; attempt: number }) => TaskContext['connections'];
  /** `step`: its path. */
  readonly submissionsFor: (run: StepRun, step: string) => TaskContext['submissions'];
  readonly compute: Compute;
  readonly events: JobManagerEvents;
  /** How long an interrupted task may take to end, in milliseconds. */
  readonly graceMs: number;
  /** Called before each attempt. */
  readonly onAttempt?: ((run: StepRun) => void) | undefined;
}

/** The items that have ended, of a step with `foreach`. */
interface WithItems {
  readonly items?: readonly ItemEnd[];
}

/** The place in the ledger that this is about, if it is not that of the step: a step of the workflow that it runs. */
interface WithPlace {
  readonly at?: number | undefined;
}

/** What came of an attempt; the ledger does not have it yet. */
export type AttemptOutcome =
  | (WithItems & { readonly kind: 'completed'; readonly outputs: StepOutputs; readonly log: StepLog })
  | (WithItems &
      WithPlace & { readonly kind: 'failed'; readonly message: string; readonly log: StepLog; readonly next: NextMove })
  | (WithPlace & { readonly kind: 'interrupted'; readonly error: Interruption; readonly log: StepLog })
  | (WithPlace & { readonly kind: 'suspended'; readonly wait: StepWait; readonly log: StepLog })
  | { readonly kind: 'lost' };

/**
 * How often a process that runs nothing else may die during a step, and how often its worker may be lost for whatever
 * reason; then the step has failed for good.
 */
export const lossesAtMost = { alone: 10, inAll: 100 } as const;

function isCondemned({ lossesAlone, losses }: StepAttempt): boolean {
  return lossesAlone >= lossesAtMost.alone || losses >= lossesAtMost.inAll;
}

/** Begins an attempt of a step, or of an item of one, and runs its task. `fault`: why it fails before that. */
export async function runAttempt(
  { ledger, tasks, filesFor, connectionsFor, submissionsFor, compute, events, graceMs, onAttempt }: AttemptOptions,
  run: StepRun,
  { signal, fault }: { signal: AbortSignal; fault?: Error | undefined },
): Promise<AttemptOutcome> {
  const { job, hold, position, step, done, item, frame } = run;
  const task = step.uses === workflowCall ? undefined : tasks[step.uses];
  if (!task) throw new Error(`this worker has no task ${step.uses}`);
  onAttempt?.(run);
  const { inputs, redact } = describeInputs({ job, step, done, schema: task.parameters, item, frame });
  const begun = await ledger.beginStep(hold, { position, name: pathOf(run), task: step.uses, inputs });
  if (!begun) return { kind: 'lost' };
  const log = createStepLog(begun.attempts, redact);
  try {
    if (isCondemned(begun)) {
      throw new CodedError('job_step_failed', {
        detail: `its process was lost ${begun.losses} times, ${begun.lossesAlone} times while it ran nothing else`,
      });
    }
    if (fault) throw fault;
    const onDeaf = (): void => events.taskDeaf(job, step);
    const files = filesFor(run, begun.attempts);
    const connections = connectionsFor(run, { step: pathOf(run), attempt: begun.attempts });
    const submissions = submissionsFor(run, pathOf(run));
    const parts = { task, files, connections, submissions, compute, graceMs, onDeaf, log: log.write };
    return { kind: 'completed', outputs: await attemptStep(parts, run, signal), log };
  } catch (error) {
    if (error instanceof Interruption) return { kind: 'interrupted', error, log };
    if (error instanceof Suspension && !item) {
      const wait = { ...error.wait, message: redact.line(error.wait.message) };
      log.write(wait.message);
      return { kind: 'suspended', wait, log };
    }
    const message = redact.text(describeFailure(titleOf(run), error));
    log.write(message);
    const next = isCondemned(begun) ? ({ kind: 'fail' } as const) : decideAfterFailure(step, begun.failures + 1, error);
    events.stepFailed(job, step, error, next);
    return { kind: 'failed', message, log, next };
  }
}
