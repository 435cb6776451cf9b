import type { WorkflowStep } from '@waybill/contracts/configuration/workflow-configuration';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { explainIssue } from '@waybill/contracts/errors/explain-issue';
import type { z } from 'zod';
import type { StepOutputs } from '../jobs/job-ledger.ts';
import type { Job } from '../jobs/job.ts';
import { evaluateTemplate, type ExpressionScope } from './evaluate-template.ts';

/** The sources of a step's parameters. `done`: the results of the previous steps, by their positions. */
export interface ParameterSource<S extends z.ZodType> {
  readonly job: Job;
  readonly step: WorkflowStep;
  readonly done: ReadonlyMap<number, StepOutputs>;
  readonly schema: S;
}

/**
 * Evaluates the expressions in the parameters of a step, for its task. @throws CodedError `expression_invalid`;
 * `validation_failed`, naming the invalid parameters
 */
export function evaluateParameters<S extends z.ZodType>({ job, step, done, schema }: ParameterSource<S>): z.output<S> {
  const scope = scopeOf(job, done);
  const evaluated = Object.fromEntries(
    Object.entries(step.with).map(([name, template]) => [name, evaluateTemplate(template, scope)]),
  );
  const parsed = schema.safeParse(evaluated, { error: explainIssue });
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'with'}: ${message}`);
  throw new CodedError('validation_failed', { detail: faults.join('; '), cause: parsed.error });
}

/** What expressions can name: `file`, `variables`, `job` and `steps['name'].outputs`. */
export function scopeOf(job: Job, done: ReadonlyMap<number, StepOutputs>): ExpressionScope {
  const { id, contract, contractAction: action, actor, queue, submittedBy, dfic, createdAt } = job;
  const steps = [...done].map(([position, outputs]) => [job.workflow.steps[position]?.name ?? '', { outputs }]);
  return {
    ...(job.file && { file: job.file }),
    variables: job.variables,
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
    steps: Object.fromEntries(steps),
  };
}
