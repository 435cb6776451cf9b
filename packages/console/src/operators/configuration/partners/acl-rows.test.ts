import { describe, expect, it } from 'vitest';
import { type Acl, aclOf, rowsOf } from './acl-rows.ts';

const acl: Acl = [
  {
    path: '/inbox',
    grants: [
      { user: 'acme', permissions: ['list', 'upload'] },
      { group: 'clerks', permissions: [] },
    ],
  },
  { path: '/closed', grants: [] },
];

describe('the rows of an access list', () => {
  it('have one user or group each, and make the same list', () => {
    const rows = rowsOf(acl);
    expect(rows.map(({ path, kind, name }) => `${path} ${kind} ${name}`)).toEqual([
      '/inbox user acme',
      '/inbox group clerks',
      '/closed user ',
    ]);
    expect(aclOf(rows)).toEqual(acl);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  });

  it('put the grants of a path together, and permissions in their order', () => {
    const [first, second, third] = rowsOf(acl);
    if (!first || !second || !third) throw new Error('there are three rows');
    const mixed = [first, third, { ...second, permissions: new Set(['upload', 'list'] as const) }];
    expect(aclOf(mixed)).toEqual([
      { path: '/inbox', grants: [acl[0]?.grants[0], { group: 'clerks', permissions: ['list', 'upload'] }] },
      { path: '/closed', grants: [] },
    ]);
    expect(aclOf([])).toEqual([]);
  });
});
