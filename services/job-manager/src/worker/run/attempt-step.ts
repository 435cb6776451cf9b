import { CodedError } from '@waybill/contracts/errors/coded-error';
import { evaluateParameters } from '@waybill/workflow/run/task-parameters';
import type { StepOutputs } from '../../domain/jobs/job-ledger.ts';
import { readWaitState, Suspension } from '../../domain/queues/step-wait.ts';
import type { Compute } from '../../domain/workflows/computation.ts';
import { scopeOf } from '../../domain/workflows/job-scope.ts';
import type { JobFiles, Task, TaskContext, Waiting } from '../../domain/workflows/task.ts';
import { pathOf, type StepRun } from './step-run.ts';

/** What an attempt needs. */
export interface AttemptParts {
  readonly task: Task;
  readonly files: JobFiles;
  readonly connections: TaskContext['connections'];
  readonly submissions: TaskContext['submissions'];
  readonly compute: Compute;
  /** How long a task may take to end once it was asked to, in milliseconds. */
  readonly graceMs: number;
  /** Called when a task has not ended by then: it is left alone, and can no longer write. */
  onDeaf(): void;
  /** Takes what the task says. */
  log(message: string): void;
}

/**
 * Runs the task of a step once, at most until the step's timeout. A task that does not end when it is interrupted is waited
 * for as long as the grace: then its promise is abandoned, so that it keeps no place in the pool. @throws errors of the
 * task; the signal's reason if it was interrupted; CodedError `expression_invalid`, `validation_failed` (its
 * parameters), `job_step_failed` (timeout)
 */
export async function attemptStep(
  { task, files, connections, submissions, compute, graceMs, onDeaf, log }: AttemptParts,
  run: StepRun,
  signal: AbortSignal,
): Promise<StepOutputs> {
  signal.throwIfAborted();
  const { job, step, done, item, frame } = run;
  const parameters = evaluateParameters(step.with, scopeOf(job, done, { item, frame }), task.parameters);
  const timeout = AbortSignal.timeout(step.timeoutSeconds * 1_000);
  const asked = AbortSignal.any([signal, timeout]);
  using hardEnd = endAfter(asked, graceMs, onDeaf);
  try {
    return await Promise.race([
      task.run(parameters, { files, connections, submissions, compute, waiting: waitingOf(run), signal: asked, log }),
      hardEnd.reached,
    ]);
  } catch (error) {
    signal.throwIfAborted();
    if (!timeout.aborted) throw error;
    throw new CodedError('job_step_failed', { detail: `it took longer than ${step.timeoutSeconds} s`, cause: error });
  }
}

function waitingOf(run: StepRun): Waiting {
  const { job, kept } = run;
  return {
    state: readWaitState(kept),
    suspend: ({ until: end, ...wanted }) => {
      const wait = { ...wanted, until: end.toISOString(), step: pathOf(run) };
      if (wait.kind === 'approval') throw new Suspension({ ...wait, approvers: [...wait.approvers] });
      if (wait.kind === 'time') throw new Suspension(wait);
      if (job.vfsId === undefined)
        throw new CodedError('job_step_failed', { detail: 'the action names no VFS to work in' });
      throw new Suspension({ ...wait, vfsId: job.vfsId });
    },
  };
}

/** Rejects when the grace after an abort is over; not after it was disposed of. */
function endAfter(signal: AbortSignal, graceMs: number, onReached: () => void) {
  const { promise: reached, reject } = Promise.withResolvers<never>();
  // It may reject when nothing waits any more.
  reached.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    timer = setTimeout(() => {
      onReached();
      reject(signal.reason instanceof Error ? signal.reason : new Error('the task did not end'));
    }, graceMs);
  };
  signal.addEventListener('abort', begin, { once: true });
  return {
    reached,
    [Symbol.dispose]: () => {
      signal.removeEventListener('abort', begin);
      clearTimeout(timer);
    },
  };
}
