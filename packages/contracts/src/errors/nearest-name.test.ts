import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearestName, suggestion } from './nearest-name.ts';

const known = ['maxItems', 'sort', 'status', 'queue', 'contract', 'contractAction'];

test.each([
  ['maxitems', 'maxItems'],
  ['maxItem', 'maxItems'],
  ['stauts', 'status'],
  ['qeue', 'queue'],
  ['contrat', 'contract'],
  ['shrot', undefined],
  ['colour', undefined],
  ['', undefined],
  ['x', undefined],
  ['x'.repeat(100_000), undefined],
])('%s is near %s', (wrong, expected) => {
  expect(nearestName(wrong, known)).toBe(expected);
});

test('a name that is known is the nearest to itself, and every answer is a known name', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), fc.constantFrom(...known), (wrong, name) => {
      expect(nearestName(name, known)).toBe(name);
      const nearest = nearestName(wrong, known);
      expect(nearest === undefined || known.includes(nearest)).toBe(true);
    }),
  );
});

test('a suggestion ends a sentence', () => {
  expect(suggestion('qeue', known)).toBe('; did you mean queue?');
  expect(suggestion('colour', known)).toBe('');
});
