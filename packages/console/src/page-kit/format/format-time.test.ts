import { describe, expect, it } from 'vitest';
import { loadTexts } from '../../texts/loaded-texts.ts';

await loadTexts('partners');
const { formatMilliseconds } = await import('./format-time.ts');

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
