import { describe, expect, it } from 'vitest';
import { readText } from './place-in-text.ts';

const text = `name: night
steps:
  - name: one
    uses: log
    with: { message: '\${{ file.pth }}' }
    bogus: 7
`;

describe('the place of a fault in settings', () => {
  it.each([
    ['of the setting', { field: 'steps[0].uses', message: 'is wrong' }, { line: 4, column: 5 }],
    [
      'of the unknown key',
      { field: 'steps[0]', message: 'unknown key bogus; known are name, uses' },
      { line: 6, column: 5 },
    ],
    [
      'of what is around a missing setting',
      { field: 'steps[0].retry.attempts', message: 'is missing' },
      { line: 3, column: 5 },
    ],
    [
      'of the character in an expression',
      { field: 'steps[0].with.message', message: 'the file has no pth', index: 9 },
      { line: 5, column: 32 },
    ],
    [
      'of the setting, also where the server has named that of an earlier text',
      { field: 'steps[0].uses', message: 'is wrong', line: 1, column: 1 },
      { line: 4, column: 5 },
    ],
    ['that the server names', { field: 'x', message: 'is wrong', line: 2, column: 3 }, { line: 2, column: 3 }],
  ])('is that %s', (_what, fault, place) => expect(readText(text).placeOf(fault)).toMatchObject(place));

  it('is unknown for a setting that the text does not have', () => {
    expect(readText(text).placeOf({ field: 'queue', message: 'is missing' })).toBeUndefined();
  });
});
