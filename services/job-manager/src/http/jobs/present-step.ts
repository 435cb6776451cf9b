import type { StepView } from '@waybill/contracts/endpoints/jobs/job-detail';
import { textOf } from '@waybill/workflow/expressions/evaluate-template';
import type { StepProgress } from '../../domain/jobs/job-ledger.ts';
import type { Job } from '../../domain/jobs/job.ts';
import { createRedact, mask, maskMembers, namesSecret, secretTextsOf } from '../../domain/workflows/mask-secrets.ts';

/** A step of a job. Its outputs are stored as later steps need them: secrets in them are masked here. */
export function presentStep(job: Job, step: StepProgress): StepView {
  const { name, task, attempts, inputs, outputs, error, log, begunAt } = step;
  const wasAborted = job.status === 'ABORTED' && step.status === 'RUNNING';
  const endedAt = wasAborted ? job.updatedAt : step.endedAt;
  const redact = createRedact(secretTextsOf(job.variables));
  return {
    name,
    task,
    status: wasAborted ? 'ABORTED' : step.status,
    attempts,
    ...(begunAt && { begunAt: begunAt.toISOString() }),
    ...(endedAt && { endedAt: endedAt.toISOString() }),
    ...(begunAt && endedAt && { durationMs: Math.max(0, endedAt.getTime() - begunAt.getTime()) }),
    inputs,
    outputs: Object.fromEntries(
      Object.entries(outputs).map(([output, value]) => [
        output,
        namesSecret(output) ? mask : redact.text(textOf(maskMembers(value))),
      ]),
    ),
    error,
    log: [...log],
  };
}
