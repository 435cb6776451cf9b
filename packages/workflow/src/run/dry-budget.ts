import { CodedError } from '@waybill/contracts/errors/coded-error';
import { evaluatingWithin } from '../expressions/expression.ts';

/** What one dry run may take. */
export interface DryLimits {
  /** For all of its expressions together. */
  readonly deadlineMs: number;
  /** Of all evaluated parameters and outputs together, as JSON; a step or an item counts as 100 more. */
  readonly characters: number;
}

/** The limits of a dry run that somebody asks a platform for. */
export const dryLimitsOfRequest: DryLimits = { deadlineMs: 1_000, characters: 4 * 1024 * 1024 };

const charactersOfStep = 100;

/** A dry run takes more than it may. Not a `CodedError`: no step fails by it. */
class DryLimitError extends Error {}

/** Counts what the steps of a dry run show. */
export interface DryBudget {
  /** Counts one step or item. @throws an error that ends the dry run */
  spend(shown: unknown): void;
}

/**
 * Runs `work` within limits. Without limits nothing is counted.
 * @throws CodedError `validation_failed`: the dry run takes more than it may
 */
export function withinDryLimits<R>(limits: DryLimits | undefined, work: (budget: DryBudget) => R): R {
  if (!limits) return work({ spend: () => {} });
  const { deadlineMs, characters } = limits;
  const end = performance.now() + deadlineMs;
  let left = characters;
  const spend = (shown: unknown): void => {
    left -= charactersOfStep + JSON.stringify(shown).length;
    if (left < 0)
      throw new DryLimitError(`its steps have more than ${characters} characters of parameters and outputs`);
    if (performance.now() > end) throw new DryLimitError(`it takes longer than ${deadlineMs} ms`);
  };
  try {
    return evaluatingWithin(deadlineMs, () => work({ spend }));
  } catch (error) {
    if (!(error instanceof DryLimitError)) throw error;
    throw new CodedError('validation_failed', { detail: `The dry run was given up: ${error.message}`, cause: error });
  }
}
