import type { ItemView, StepView } from '@waybill/contracts/endpoints/jobs/job-detail';
import { textOf } from '@waybill/workflow/expressions/evaluate-template';
import type { StepProgress } from '../../domain/jobs/job-ledger.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { ShownItems } from '../../domain/jobs/shown-items.ts';
import { createRedact, mask, maskMembers, namesSecret, secretTextsOf } from '../../domain/workflows/mask-secrets.ts';

/** A step of a job, with those of its items that are shown. */
export function presentStep(job: Job, step: StepProgress, items: readonly ShownItems[] = []): StepView {
  const { name, task, position } = step;
  const own = items.find((some) => some.position === position);
  return {
    name,
    task,
    ...presentProgress(job, step),
    ...(own && {
      items: own.items.map(({ index, progress }) => ({ index, ...presentProgress(job, progress) })),
      itemCounts: { ...own.counts },
    }),
  };
}

/** What has become of a step or of an item. Outputs are stored as later steps need them: secrets in them are masked here. */
function presentProgress(job: Job, progress: StepProgress): Omit<ItemView, 'index'> {
  const { attempts, inputs, outputs, error, log, begunAt } = progress;
  const wasAborted = job.status === 'ABORTED' && progress.status === 'RUNNING';
  const endedAt = wasAborted ? job.updatedAt : progress.endedAt;
  const redact = createRedact(secretTextsOf(job.variables));
  return {
    status: wasAborted ? 'ABORTED' : progress.status,
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
