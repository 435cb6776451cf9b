import { describe, expect, it } from 'vitest';
import { applyChanges, changesToTake, mergeChanges } from './merge-changes.ts';

const base = { name: 'a', enabled: true, limits: { bytes: 1, files: 2 }, list: [1], gone: 'x' };

describe('a draft and what somebody else has stored meanwhile', () => {
  it('have the changes of both where these are of different settings', () => {
    const mine = { ...base, limits: { bytes: 9, files: 2 }, added: { deep: true } };
    const { gone: _gone, ...kept } = base;
    const stored = { ...kept, enabled: false, limits: { bytes: 1, files: 2, depth: 3 } };
    const merge = mergeChanges({ base, mine, stored });
    expect(merge.conflicts).toEqual([]);
    expect(applyChanges(mine, changesToTake(merge, 'mine'))).toEqual({
      name: 'a',
      enabled: false,
      limits: { bytes: 9, files: 2, depth: 3 },
      list: [1],
      added: { deep: true },
    });
  });

  it('name each setting that both have changed, and keep whose value is asked for', () => {
    const { gone: _gone, ...mine } = { ...base, list: [1, 2] };
    const stored = { ...base, list: [3], gone: 'y', enabled: false };
    const merge = mergeChanges({ base, mine, stored });
    expect(merge.conflicts).toEqual([
      { path: ['list'], mine: [1, 2], stored: [3] },
      { path: ['gone'], mine: undefined, stored: 'y' },
    ]);
    expect(applyChanges(mine, changesToTake(merge, 'mine'))).toEqual({ ...mine, enabled: false });
    expect(applyChanges(mine, changesToTake(merge, 'stored'))).toEqual(stored);
  });

  it('have no conflict where both have made the same change, and one where the draft is no object any more', () => {
    const same = { ...base, list: [] };
    expect(mergeChanges({ base, mine: same, stored: same })).toEqual({ changes: [], conflicts: [] });
    expect(mergeChanges({ base, mine: null, stored: same }).conflicts).toEqual([
      { path: [], mine: null, stored: same },
    ]);
  });

  it('keep a setting that is named as a property of all objects', () => {
    const stored: unknown = JSON.parse('{"__proto__":{"polluted":true}}');
    const merge = mergeChanges({ base: {}, mine: { own: 1 }, stored });
    const merged = applyChanges({ own: 1 }, changesToTake(merge, 'mine'));
    expect(JSON.stringify(merged)).toBe('{"own":1,"__proto__":{"polluted":true}}');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});
