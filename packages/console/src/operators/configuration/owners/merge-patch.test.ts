import { describe, expect, it } from 'vitest';
import { patchBetween } from './merge-patch.ts';

describe('the merge patch between two versions of settings', () => {
  it.each([
    ['nothing', { a: 1, b: { c: [1] } }, { a: 1, b: { c: [1] } }, {}],
    ['a changed and an added value', { a: 1 }, { a: 2, b: 'x' }, { a: 2, b: 'x' }],
    ['a removed value, also inside', { a: 1, b: { c: 1, d: 2 } }, { b: { d: 2 } }, { a: null, b: { c: null } }],
    ['a list as a whole', { a: [1, 2] }, { a: [1] }, { a: [1] }],
    ['an object in the place of a text', { a: 'x' }, { a: { b: 1 } }, { a: { b: 1 } }],
  ])('has %s', (_what, before, after, patch) => expect(patchBetween(before, after)).toEqual(patch));

  it('is none of what is no object', () => {
    for (const value of ['text', 7, null, ['list']]) expect(() => patchBetween({}, value)).toThrow('an object');
  });
});
