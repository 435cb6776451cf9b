import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { ConfigurationOutcome } from '../../domain/administration/configurations.ts';
import type { ConfigurationLimits } from './configuration-messages.ts';

/** What is known of a process that has ended without an answer. */
export interface SeenDeath {
  readonly isLate: boolean;
  /** The manager has ended it, because it stops itself. */
  readonly isStopped: boolean;
  readonly code: number | null;
  readonly signal: string | null;
}

/** How V8 and the kernel end a process whose memory is used up. */
const memorySignals: ReadonlySet<string | null> = new Set(['SIGABRT', 'SIGKILL', 'SIGTRAP', 'SIGILL']);

/** Why a process has not answered. */
export function outcomeOf({ isLate, isStopped, code, signal }: SeenDeath): Exclude<ConfigurationOutcome, 'answered'> {
  if (isStopped) return 'stopped';
  if (isLate) return 'timed_out';
  // The shell's way to write SIGABRT.
  return memorySignals.has(signal) || code === 134 ? 'out_of_memory' : 'died';
}

/**
 * The error of a process that has not answered: a limit, or a fault of the platform. `isInForce`: whether its plan is in force;
 * `undefined`: that is not known.
 */
export function deathOf(
  seen: SeenDeath,
  { heapMebibytes, seconds }: ConfigurationLimits,
  isInForce: boolean | undefined,
): Error {
  const what = whatHappened(isInForce);
  const outcome = outcomeOf(seen);
  if (outcome === 'died') {
    const how = seen.signal ?? seen.code;
    const cause = new Error(`The process of a configuration has ended without an answer (${how})`);
    if (isInForce === false) return cause;
    return new CodedError('internal_error', { detail: `${what}: its process has ended`, cause });
  }
  if (outcome === 'stopped') {
    return new CodedError('service_unavailable', { detail: `${what}: the job manager stops` });
  }
  const why = {
    timed_out: `more than ${seconds} s (CONFIGURATION_SECONDS)`,
    out_of_memory: `too much memory: its limit is ${heapMebibytes} MiB (CONFIGURATION_HEAP_MEBIBYTES)`,
  }[outcome];
  return new CodedError('configuration_too_large', { detail: `${what}: it takes ${why}` });
}

function whatHappened(isInForce: boolean | undefined): string {
  if (isInForce === undefined) return 'It is not known whether the plan is in force: apply it again to find out';
  return isInForce ? 'The plan is in force, but was not completed' : 'The configuration was given up';
}
