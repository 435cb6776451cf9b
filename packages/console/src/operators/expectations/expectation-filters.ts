import { listExpectationsEndpoint } from '@waybill/contracts/endpoints/expectations/expectation-endpoints';
import {
  expectationStateSchema,
  type ExpectationView,
} from '@waybill/contracts/endpoints/expectations/expectation-view';
import { findFaultyFilters } from '../address/faulty-filters.tsx';
import type { Filters } from '../address/use-filters.ts';
import { callEndpoint } from '../api/call-endpoint.ts';
import { cursorOf } from '../api/pages.ts';
import type { CursorPage } from '../lists/use-cursor-rows.ts';

/** The filters of the list of expected files, by their names in the interface and in the address of the page. */
export const expectationFilterNames = ['state', 'actor', 'contract', 'expectation', 'dueFrom', 'dueTo'] as const;

/** The name of a filter. */
export type ExpectationFilterName = (typeof expectationFilterNames)[number];

/** The filters that are set. */
export type ExpectationFilters = Filters<ExpectationFilterName>;

/** States of one page. */
export const expectationPageSize = 100;

/** What others acknowledge, and files that come, are seen within two seconds. */
export const refreshExpectationsEveryMs = 1_500;

/** Those of the filters that no state can match. */
export function findFaultyExpectationFilters(filters: ExpectationFilters): readonly string[] {
  return findFaultyFilters(listExpectationsEndpoint.query, filters);
}

/** Reads a page of states, newest first. @throws ZodError with an unknown state */
export async function listExpectations(
  { state, ...others }: ExpectationFilters,
  page: { readonly cursor: string | undefined; readonly maxItems: number },
  signal: AbortSignal,
): Promise<CursorPage<ExpectationView>> {
  const query = { ...others, state: expectationStateSchema.optional().parse(state), ...page };
  const { expectations, next } = await callEndpoint(listExpectationsEndpoint, { query, signal });
  return { rows: expectations, next: cursorOf(next) };
}

/** States that somebody has to look at. */
export const openStates = ['missed', 'late', 'unexpected'] as const satisfies readonly ExpectationView['state'][];

/** Whether somebody has to look at it: only then it can be acknowledged. */
export function isOpen({ state }: Pick<ExpectationView, 'state'>): boolean {
  return openStates.some((open) => open === state);
}
