import { afterAll, describe, expect, it, vi } from 'vitest';

// The zone of a browser is known when the modules are loaded; other tests of this process may have loaded them.
vi.stubEnv('TZ', 'Europe/Berlin');
vi.resetModules();
const { loadTexts } = await import('../../texts/loaded-texts.ts');
await loadTexts('partners');
const { formatMilliseconds, formatTime, formatUtcTime } = await import('./format-time.ts');

afterAll(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

describe('a duration in milliseconds', () => {
  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [1_540, '1.5 s'],
    [59_900, '59.9 s'],
    [90_000, '2 min'],
    [7_200_000, '2 h 0 min'],
  ])('of %d has the unit that people read', (duration, text) => expect(formatMilliseconds(duration)).toBe(text));
});

it('shows the end of a day in UTC as midnight, whatever the zone of the browser', () => {
  expect(formatTime('2026-12-06T00:00:00.000Z')).toBe('Dec 06, 2026, 01:00 GMT+1');
  expect(formatUtcTime('2026-12-06T00:00:00.000Z')).toBe('Dec 06, 2026, 00:00 UTC');
});
