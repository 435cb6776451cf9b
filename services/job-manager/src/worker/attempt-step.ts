import { CodedError } from '@waybill/contracts/errors/coded-error';
import { evaluateParameters } from '../domain/evaluate-parameters.ts';
import type { StepOutputs } from '../domain/job-ledger.ts';
import type { JobFiles } from '../domain/task.ts';
import type { StepRun } from './step-run.ts';
import type { TaskTable } from './tasks/task-table.ts';

/**
 * Runs the task of a step once, at most until the step's timeout. @throws errors of the task; the signal's reason
 * if it was interrupted; CodedError `expression_invalid`, `validation_failed` (its parameters), `job_step_failed`
 * (timeout)
 */
export async function attemptStep(
  { tasks, files }: { tasks: TaskTable; files: JobFiles },
  { job, step, done }: StepRun,
  signal: AbortSignal,
): Promise<StepOutputs> {
  signal.throwIfAborted();
  const task = tasks[step.uses];
  const parameters = evaluateParameters({ job, step, done, schema: task.parameters });
  const timeout = AbortSignal.timeout(step.timeoutSeconds * 1_000);
  try {
    return await task.run(parameters, { files, signal: AbortSignal.any([signal, timeout]) });
  } catch (error) {
    signal.throwIfAborted();
    if (!timeout.aborted) throw error;
    throw new CodedError('job_step_failed', { detail: `it took longer than ${step.timeoutSeconds} s`, cause: error });
  }
}
