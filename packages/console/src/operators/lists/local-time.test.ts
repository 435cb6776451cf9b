import { expect, it } from 'vitest';
import { localTime, utcTime } from './local-time.ts';

it('shows a time of an address in a field, and reads it back', () => {
  const local = localTime('2026-03-02T08:15:30.000Z');
  expect(local).toMatch(/^2026-03-0[123]T\d\d:\d\d:30$/u);
  expect(utcTime(local)).toBe('2026-03-02T08:15:30.000Z');
});

it.each([
  undefined,
  '',
  'yesterday',
  '0000',
  '-271821-04-20T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '+012026-01-01T00:00:00Z',
  '2026-13-01T00:00:00Z',
])('leaves the field empty for %j, which it could not show', (value) => {
  expect(localTime(value)).toBe('');
});

it.each(['', '12026-01-01T00:00', 'x'])('reads no time from %j', (value) => {
  expect(utcTime(value)).toBeUndefined();
});
