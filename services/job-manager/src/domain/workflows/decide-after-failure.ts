import type { StoredStep } from '@waybill/contracts/configuration/workflow-template';
import { isCodedError } from '@waybill/contracts/errors/coded-error';

/** The decision after a step has failed. */
export type NextMove = { readonly kind: 'retry'; readonly afterSeconds: number } | { readonly kind: 'fail' };

/** What a repetition cannot change: the template, the configuration or the other side's refusal has to be corrected before. */
const hopelessCodes = [
  'expression_invalid',
  'path_invalid',
  'validation_failed',
  'connection_unknown',
  'destination_refused',
  'remote_refused',
  'key_unknown',
  'key_unusable',
  'decryption_failed',
  'signature_invalid',
  'command_refused',
  'file_infected',
] as const;

/** The longest pause between two attempts. */
const longestPauseSeconds = 86_400;

/**
 * Decides whether a step is tried again. `failures` counts this one too; what can never succeed is not tried again. Each pause is
 * longer than the one before by the factor `backoff`, and differs from that by up to `jitter`, so that many jobs do not come back
 * at once. `random`: from 0 to 1.
 */
export function decideAfterFailure(
  { retry }: StoredStep,
  failures: number,
  error: unknown,
  random: () => number = Math.random,
): NextMove {
  if (failures >= retry.attempts || !canSucceed(retry, error)) return { kind: 'fail' };
  const { delaySeconds, backoff = 1, maxDelaySeconds = longestPauseSeconds, jitter = 0 } = retry;
  const pause = Math.min(delaySeconds * backoff ** (failures - 1), maxDelaySeconds);
  const spread = pause * jitter * (2 * random() - 1);
  return { kind: 'retry', afterSeconds: Math.round(Math.min(pause + spread, maxDelaySeconds)) };
}

function canSucceed({ on }: StoredStep['retry'], error: unknown): boolean {
  if (on) return isCodedError(error, ...on);
  return !isCodedError(error, ...hopelessCodes);
}
