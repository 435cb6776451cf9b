import { describe, expect, it } from 'vitest';
import { applyChanges, changesToTake, mergeChanges } from '../changes/merge-changes.ts';
import { type Acl, aclOf, rowsOf } from './acl-rows.ts';
import { rowsOfSettings, settingsOfRows } from './acl-settings.ts';

const grants = (user: string, ...permissions: Acl[number]['grants'][number]['permissions']) => ({ user, permissions });
const settingsOf = (acl: Acl) => settingsOfRows(rowsOf(acl));

describe('the rows of an access list, as settings', () => {
  const base: Acl = [
    { path: '/', grants: [grants('ann', 'list'), grants('bob', 'list')] },
    { path: '/drop', grants: [] },
  ];

  it('lead to the same rows again', () => {
    expect(aclOf(rowsOfSettings(settingsOf(base)))).toEqual(base);
  });

  it('merge permission by permission, and conflict where a row is gone that the other one has changed', () => {
    const mine: Acl = [{ path: '/', grants: [grants('ann', 'list', 'upload')] }, ...base.slice(1)];
    const stored: Acl = [
      { path: '/', grants: [grants('ann', 'list', 'delete'), grants('bob', 'list', 'download')] },
      ...base.slice(1),
      { path: '/new', grants: [grants('cid', 'list')] },
    ];
    const merge = mergeChanges({ base: settingsOf(base), mine: settingsOf(mine), stored: settingsOf(stored) });
    expect(merge.conflicts).toEqual([
      { path: [JSON.stringify(['/', 'user', 'bob'])], mine: undefined, stored: { list: true, download: true } },
    ]);
    const merged = applyChanges(settingsOf(mine), changesToTake(merge, 'mine'));
    expect(aclOf(rowsOfSettings(merged))).toEqual([
      { path: '/', grants: [grants('ann', 'list', 'upload', 'delete')] },
      { path: '/drop', grants: [] },
      { path: '/new', grants: [grants('cid', 'list')] },
    ]);
  });
});
