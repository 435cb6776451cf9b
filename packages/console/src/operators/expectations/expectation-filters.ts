import { listExpectationsEndpoint } from '@waybill/contracts/endpoints/expectations/expectation-endpoints';
import {
  expectationStateSchema,
  type ExpectationView,
} from '@waybill/contracts/endpoints/expectations/expectation-view';
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

/** Reads a page of states, newest first. An address may have been written by hand: an unknown state is left out. */
export async function listExpectations(
  { state, ...others }: ExpectationFilters,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<CursorPage<ExpectationView>> {
  const known = expectationStateSchema.safeParse(state).data;
  const query = { ...others, state: known, maxItems: expectationPageSize, cursor };
  const { expectations, next } = await callEndpoint(listExpectationsEndpoint, { query, signal });
  return { rows: expectations, next: cursorOf(next) };
}

/** Whether somebody has to look at it: only then it can be acknowledged. */
export function isOpen({ state }: Pick<ExpectationView, 'state'>): boolean {
  return state === 'missed' || state === 'late' || state === 'unexpected';
}
