import type { ExpectationView } from '@waybill/contracts/endpoints/expectations/expectation-view';
import { type FindMatching, readMatching } from '../lists/use-matching-rows.ts';
import { type ExpectationFilters, isOpen, listExpectations, openStates } from './expectation-filters.ts';

/** States that are acknowledged at once, at most. */
export const acknowledgedAtMost = 10_000;

/** States that one request counts. */
const countedAtOnce = 1_000;

/** Whether states that match filters can be open. */
export function canBeOpen({ state }: ExpectationFilters): boolean {
  return state === undefined || openStates.some((open) => open === state);
}

/** The open states that match, newest first; undefined if they are more than `acknowledgedAtMost`. @throws RequestFailure */
export const findOpenStates: FindMatching<ExpectationView, ExpectationFilters> = async (filters, onFound, signal) => {
  const found: ExpectationView[] = [];
  for (const state of openStates) {
    if (filters.state !== undefined && filters.state !== state) continue;
    const before = found.length;
    const more = await readMatching(
      (cursor) => listExpectations({ ...filters, state }, { cursor, maxItems: countedAtOnce }, signal),
      { most: acknowledgedAtMost - before, onFound: (count) => onFound(before + count) },
    );
    if (more === undefined) return undefined;
    found.push(...more.filter(isOpen));
  }
  return found.toSorted((one, other) => other.id - one.id);
};
