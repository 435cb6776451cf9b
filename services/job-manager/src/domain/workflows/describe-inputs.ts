import type { StoredStep } from '@waybill/contracts/configuration/workflow-template';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { evaluateText, evaluateValue, textOf } from '@waybill/workflow/expressions/evaluate-template';
import type { ExpressionScope } from '@waybill/workflow/expressions/expression';
import type { StepEnd, StepItem } from '@waybill/workflow/run/job-scope';
import type { z } from 'zod';
import type { Job } from '../jobs/job.ts';
import { createMaskedEvaluation } from './evaluate-masked.ts';
import { type CallFrame, scopeOf } from './job-scope.ts';
import { createRedact, isSecretParameter, mask, secretTextsOf, shorten, type Redact } from './mask-secrets.ts';

/** The sources of a step's parameters. `done`: the steps that have ended, by their positions. */
export interface ParameterSource<S extends z.ZodType> {
  readonly job: Job;
  readonly step: StoredStep;
  readonly done: ReadonlyMap<number, StepEnd>;
  readonly schema: S;
  /** The item that the step runs for. */
  readonly item?: StepItem | undefined;
  readonly frame?: CallFrame | undefined;
}

/** What may be shown of a step's parameters. */
export interface ShownInputs {
  /** The evaluated parameters, shortened, with the secrets masked. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Masks the secrets that the step uses: those of the job's variables and of its parameters. */
  readonly redact: Redact;
}

/** Parameters that are shown at most. */
const inputsAtMost = 100;

/** Characters of a parameter that are evaluated: a long value may occur in it very often. More than a line can show. */
const evaluatedAtMost = 16 * 1024;

/** Describes the parameters of a step. An expression that cannot be evaluated is shown as it is written. */
export function describeInputs<S extends z.ZodType>({
  job,
  step,
  done,
  schema,
  item,
  frame,
}: ParameterSource<S>): ShownInputs {
  const scope = scopeOf(job, done, { item, frame });
  const parameters = Object.entries(step.with).slice(0, inputsAtMost);
  const isSecret = (name: string): boolean => isSecretParameter(schema, name);
  const given = parameters.flatMap(([name, template]) => secretTextsIn(template, scope, isSecret(name)));
  const outputs = [...done.values()].map((end) => [end.outputs, end.items?.map((one) => one.outputs)]);
  const known = { variables: job.variables, inputs: frame?.variables, done: outputs, item: item?.value };
  const redact = createRedact([...secretTextsOf(known), ...given]);
  const masked = createMaskedEvaluation(scope);
  const shown = parameters.map(([name, template]): [string, string] => {
    if (isSecret(name)) return [shorten(name), mask];
    const text = orAsWritten(template, () =>
      typeof template === 'string' ? masked.text(template, evaluatedAtMost) : masked.value(template),
    );
    return [shorten(name), redact.line(text)];
  });
  return { inputs: Object.fromEntries(shown), redact };
}

/** The secrets in a parameter: all of it, or the members of objects whose names say so. */
function secretTextsIn(template: unknown, scope: ExpressionScope, isSecret: boolean): string[] {
  if (typeof template === 'string') {
    return isSecret ? [orAsWritten(template, () => evaluateText(template, scope, evaluatedAtMost))] : [];
  }
  if (typeof template !== 'object' || template === null) return isSecret ? [textOf(template)] : [];
  try {
    const value = evaluateValue(template, scope);
    return secretTextsOf(isSecret ? { secret: value } : value);
  } catch (error) {
    if (isCodedError(error)) return [];
    throw error;
  }
}

function orAsWritten(template: unknown, evaluate: () => string): string {
  try {
    return evaluate();
  } catch (error) {
    if (isCodedError(error)) return textOf(template);
    throw error;
  }
}
