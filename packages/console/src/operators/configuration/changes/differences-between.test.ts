import { describe, expect, it } from 'vitest';
import { differencesBetween } from './differences-between.ts';

describe('the differences between two versions of settings', () => {
  it('names each setting that was added, changed or removed, also inside of others', () => {
    const before = { name: 'a', limits: { bytes: 1, files: 2 }, list: [1, 2], gone: true };
    const after = { name: 'a', limits: { bytes: 1, files: 3 }, list: [1], added: 'x' };
    expect(differencesBetween(before, after)).toEqual([
      { setting: 'limits.files', before: 2, after: 3 },
      { setting: 'list', before: [1, 2], after: [1] },
      { setting: 'gone', before: true, after: undefined },
      { setting: 'added', before: undefined, after: 'x' },
    ]);
  });

  it('are none between equal versions, and one between an object and another value', () => {
    expect(differencesBetween({ a: [{ b: 1 }] }, { a: [{ b: 1 }] })).toEqual([]);
    expect(differencesBetween({ a: { b: 1 } }, { a: 'text' })).toEqual([
      { setting: 'a', before: { b: 1 }, after: 'text' },
    ]);
  });
});
