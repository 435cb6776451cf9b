import type { WorkflowStep } from '@waybill/contracts/configuration/workflow-configuration';
import { isCodedError } from '@waybill/contracts/errors/coded-error';

/** The decision after a step has failed. */
export type NextMove = { readonly kind: 'retry'; readonly afterSeconds: number } | { readonly kind: 'fail' };

/** Decides whether a step is tried again. `failures` counts this one too; what can never succeed is not tried again. */
export function decideAfterFailure(step: WorkflowStep, failures: number, error: unknown): NextMove {
  const hopeless = isCodedError(error, 'expression_invalid', 'path_invalid', 'validation_failed');
  if (hopeless || failures >= step.retry.attempts) return { kind: 'fail' };
  return { kind: 'retry', afterSeconds: step.retry.delaySeconds };
}
