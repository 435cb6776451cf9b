import { expect, it } from 'vitest';
import { secrets } from '../../../texts/english/operators/secrets.ts';
import { countEnding, findFaultyExpiryFilters } from './expiry-filters.ts';

const expiries = (['expired', 'soon', 'valid'] as const).map((state) => ({ state }));

it.each([
  ['30 days without a filter', {}, '2 expired, or expire within 30 days.'],
  ['the days of the filter', { withinDays: '400' }, '3 expired, or expire within 400 days.'],
  ['one day', { withinDays: '1' }, '3 expired, or expire within 1 day.'],
])('says how many expire within %s', (_what, filters, said) => {
  expect(secrets.urgent(countEnding(expiries, filters))).toBe(said);
});

it('says that nothing expires within the days of the filter', () => {
  expect(secrets.urgent(countEnding([], { withinDays: '7' }))).toBe('Nothing expires within 7 days.');
});

it.each(['abc', '-1', '1.5', '36501', '1e3', '<b>'])('does not ask the platform for %s days', (withinDays) => {
  expect(findFaultyExpiryFilters({ withinDays })).toEqual([`withinDays=${withinDays}`]);
});

it('asks for what the platform takes', () => {
  expect(findFaultyExpiryFilters({ withinDays: '400', actor: 'acme' })).toEqual([]);
});
