import { isCodedError } from '@waybill/contracts/errors/coded-error';
import type { z } from 'zod';
import { scopeOf, type ParameterSource } from './evaluate-parameters.ts';
import { evaluateMasked, evaluateTemplate } from './evaluate-template.ts';
import { createRedact, isSecretParameter, mask, secretTextsOf, shorten, type Redact } from './mask-secrets.ts';

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
export function describeInputs<S extends z.ZodType>({ job, step, done, schema }: ParameterSource<S>): ShownInputs {
  const scope = scopeOf(job, done);
  const parameters = Object.entries(step.with).slice(0, inputsAtMost);
  const isSecret = (name: string): boolean => isSecretParameter(schema, name);
  const given = parameters.flatMap(([name, template]) =>
    isSecret(name) ? [orAsWritten(template, () => evaluateTemplate(template, scope, evaluatedAtMost))] : [],
  );
  const redact = createRedact([...secretTextsOf({ variables: job.variables, done: [...done.values()] }), ...given]);
  const shown = parameters.map(([name, template]): [string, string] => {
    if (isSecret(name)) return [shorten(name), mask];
    const text = orAsWritten(template, () => evaluateMasked(template, scope, evaluatedAtMost));
    return [shorten(name), redact.line(text)];
  });
  return { inputs: Object.fromEntries(shown), redact };
}

function orAsWritten(template: string, evaluate: () => string): string {
  try {
    return evaluate();
  } catch (error) {
    if (isCodedError(error)) return template;
    throw error;
  }
}
