import { describe, expect, it } from 'vitest';
import { placeOf } from './place-in-text.ts';

const text = `name: night
steps:
  - name: one
    uses: log
    with: { message: x }
    bogus: 7
`;

describe('the place of a fault in settings', () => {
  it.each([
    ['of the setting', { field: 'steps[0].uses', message: 'is wrong' }, { line: 4, column: 11 }],
    [
      'of the unknown key',
      { field: 'steps[0]', message: 'unknown key bogus; known are name, uses' },
      { line: 6, column: 12 },
    ],
    [
      'of what is around a missing setting',
      { field: 'steps[0].retry.attempts', message: 'is missing' },
      { line: 3, column: 5 },
    ],
    ['that the server names', { field: 'x', message: 'is wrong', line: 2, column: 3 }, { line: 2, column: 3 }],
  ])('is that %s', (_what, fault, place) => expect(placeOf(text, fault)).toMatchObject(place));

  it('is unknown for a setting that the text does not have', () => {
    expect(placeOf(text, { field: 'queue', message: 'is missing' })).toBeUndefined();
  });
});
