import { itemsAtMost } from '@waybill/contracts/configuration/workflow-step';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import type { Directory } from '@waybill/directory/directory';
import type { StepProgress } from '../jobs/job-ledger.ts';
import type { JobRegister } from '../jobs/job-register.ts';
import type { Job } from '../jobs/job.ts';
import { createMaskedEvaluation } from './evaluate-masked.ts';
import { endedSteps, groupItems } from './job-past.ts';
import { scopeOf } from './job-scope.ts';
import { createRedact, mask, namesSecret, secretTextsOf } from './mask-secrets.ts';

/**
 * The outputs of a completed job, as text and without secrets: the revision of its workflow says how they are computed from its
 * steps. One that cannot be evaluated, because a step was skipped, is left out. `undefined`: there are none.
 */
export type FindOutputs = (
  job: Job,
  begun: readonly StepProgress[],
) => Promise<Readonly<Record<string, string>> | undefined>;

/** Finds the outputs of jobs. */
export function createFindOutputs(ports: {
  readonly register: Pick<JobRegister, 'itemsOf'>;
  readonly directory: Pick<Directory, 'findWorkflowRevision'>;
}): FindOutputs {
  return (job, begun) => findOutputs(ports, job, begun);
}

async function findOutputs(
  { register, directory }: Parameters<typeof createFindOutputs>[0],
  job: Job,
  begun: readonly StepProgress[],
): ReturnType<FindOutputs> {
  if (job.status !== 'COMPLETED') return undefined;
  const { steps, templateId, templateRevision } = job.workflow;
  const outputs = Object.entries((await directory.findWorkflowRevision(templateId, templateRevision))?.outputs ?? {});
  if (outputs.length === 0) return undefined;
  const hasItems = steps.some(({ foreach }) => foreach !== undefined);
  const past = {
    steps: new Map(begun.map((step) => [step.position, step])),
    items: groupItems(hasItems ? await register.itemsOf(job.id, { first: 0, last: itemsAtMost }) : []),
  };
  const masked = createMaskedEvaluation(scopeOf(job, endedSteps(steps, past), { now: job.createdAt }));
  const redact = createRedact(secretTextsOf(job.variables));
  const shown = outputs.flatMap(([name, { value }]): [string, string][] => {
    try {
      return [[name, namesSecret(name) ? mask : redact.text(masked.value(value))]];
    } catch (error) {
      if (isCodedError(error)) return [];
      throw error;
    }
  });
  return Object.fromEntries(shown);
}
