import { describe, expect, it } from 'vitest';
import { faultsStillIn, placeOf } from './place-in-text.ts';

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

  it('keeps a fault that is still in a changed text, and drops one whose line was corrected', () => {
    const faults = [
      { field: 'steps[0].uses', message: 'is unknown' },
      { field: 'steps[0]', message: 'unknown key bogus; known are name, uses' },
      { field: 'queue', message: 'is missing' },
    ];
    expect(faultsStillIn(text, text, faults)).toEqual(faults);
    expect(faultsStillIn(text.replace('log', 'gzip'), text, faults)).toEqual([faults[1]]);
    expect(faultsStillIn(text.replace('    bogus: 7\n', ''), text, faults)).toEqual([faults[0]]);
  });

  it('is unknown for a setting that the text does not have', () => {
    expect(placeOf(text, { field: 'queue', message: 'is missing' })).toBeUndefined();
  });
});
