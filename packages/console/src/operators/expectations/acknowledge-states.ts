import type { ExpectationView } from '@waybill/contracts/endpoints/expectations/expectation-view';
import { type ExpectationFilters, isOpen, listExpectations, openStates } from './expectation-filters.ts';

/** States that are acknowledged: some, or all that match filters and are open. */
export type AcknowledgeTarget =
  | { readonly states: readonly ExpectationView[] }
  | { readonly filters: ExpectationFilters };

/** States that are acknowledged at once, at most. */
export const acknowledgedAtMost = 10_000;

/** States that one request counts. */
const countedAtOnce = 1_000;

/** Whether states that match filters can be open. */
export function canBeOpen({ state }: ExpectationFilters): boolean {
  return state === undefined || openStates.some((open) => open === state);
}

/**
 * Finds the states that would be acknowledged, and calls back with their number as they arrive. Undefined if there are more than
 * `acknowledgedAtMost`. @throws RequestFailure
 */
export async function findOpenStates(
  target: AcknowledgeTarget,
  onFound: (count: number) => void,
  signal: AbortSignal,
): Promise<readonly ExpectationView[] | undefined> {
  if ('states' in target) return target.states;
  const { filters } = target;
  const found: ExpectationView[] = [];
  for (const state of openStates) {
    if (filters.state !== undefined && filters.state !== state) continue;
    let cursor: string | undefined;
    do {
      const page = { cursor, maxItems: countedAtOnce };
      const { rows, next } = await listExpectations({ ...filters, state }, page, signal);
      found.push(...rows.filter(isOpen));
      if (found.length > acknowledgedAtMost) return undefined;
      onFound(found.length);
      cursor = next;
    } while (cursor !== undefined);
  }
  return found.toSorted((one, other) => other.id - one.id);
}
