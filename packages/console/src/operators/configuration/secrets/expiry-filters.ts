import { type Expiry, listExpiriesEndpoint } from '@waybill/contracts/endpoints/administration/list-expiries';
import { findFaultyFilters } from '../../address/faulty-filters.tsx';
import type { Filters } from '../../address/use-filters.ts';

/** The filters of the page, by their names in the interface and in the address. */
export const expiryFilterNames = ['actor', 'withinDays'] as const;

/** The name of a filter. */
export type ExpiryFilterName = (typeof expiryFilterNames)[number];

type ExpiryFilters = Filters<ExpiryFilterName>;

/** Days within which the platform calls an end near. */
const soonDays = 30;

/** Those of the filters that the interface does not take. */
export function findFaultyExpiryFilters(filters: ExpiryFilters): readonly string[] {
  return findFaultyFilters(listExpiriesEndpoint.query, filters);
}

/** How many of the listed ones end within the days of the filter, or soon if there is none; what has expired is one of them. */
export function countEnding(
  expiries: readonly Pick<Expiry, 'state'>[],
  { withinDays }: ExpiryFilters,
): { readonly count: number; readonly days: number } {
  if (withinDays !== undefined) return { count: expiries.length, days: Number(withinDays) };
  return { count: expiries.filter(({ state }) => state !== 'valid').length, days: soonDays };
}
