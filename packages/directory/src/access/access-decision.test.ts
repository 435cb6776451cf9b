import { allPermissions, type Permission } from '@waybill/contracts/values/permission';
import {
  isWithin,
  parentOf,
  rootPath,
  segmentsOf,
  virtualPathOf,
  type VirtualPath,
} from '@waybill/contracts/values/virtual-path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideAccess, type AclRule } from './access-decision.ts';

const path = (text: string): VirtualPath => virtualPathOf(text.split('/').filter((name) => name !== ''));
const acme = { name: 'acme', groups: ['clerks'] };

function may(acl: readonly AclRule[] | undefined, where: VirtualPath, permission: Permission, user = acme): boolean {
  return decideAccess({ vfsName: 'files', acl, user, path: where, permission }).allowed;
}

const pathArbitrary = fc.array(fc.constantFrom('a', 'b', 'ab', 'c'), { maxLength: 4 }).map(virtualPathOf);
const permissionArbitrary = fc.constantFrom(...allPermissions);
const grantArbitrary = fc.record(
  {
    user: fc.constantFrom('acme', 'other'),
    group: fc.constantFrom('clerks', 'others'),
    permissions: fc.subarray([...allPermissions]),
  },
  { requiredKeys: ['permissions'] },
);
const aclArbitrary = fc.uniqueArray(
  fc.record({ path: pathArbitrary, grants: fc.array(grantArbitrary, { maxLength: 3 }) }),
  {
    selector: (rule) => rule.path,
    maxLength: 5,
  },
);

describe('decideAccess', () => {
  const acl: AclRule[] = [
    { path: rootPath, grants: [{ user: 'acme', permissions: ['list'] }] },
    {
      path: path('/inbox'),
      grants: [
        { user: 'acme', permissions: ['upload'] },
        { group: 'clerks', permissions: ['delete'] },
      ],
    },
    { path: path('/inbox/done'), grants: [] },
  ];

  it('allows everything to everybody where ACLs are not enabled', () => {
    for (const permission of allPermissions) expect(may(undefined, path('/x/y'), permission)).toBe(true);
  });

  it('allows nothing if ACLs are enabled and neither the path nor an ancestor has a rule', () => {
    expect(may([], path('/x'), 'list')).toBe(false);
    expect(may([{ path: path('/x/y'), grants: [{ user: 'acme', permissions: ['list'] }] }], path('/x'), 'list')).toBe(
      false,
    );
  });

  it('applies only the nearest rule, even if it grants nothing', () => {
    expect(may(acl, path('/reports/may.csv'), 'list')).toBe(true);
    expect(may(acl, path('/inbox/a.csv'), 'list')).toBe(false);
    expect(may(acl, path('/inbox/a.csv'), 'upload')).toBe(true);
    expect(may(acl, path('/inbox/done/a.csv'), 'upload')).toBe(false);
  });

  it('adds up what the user and the groups of the user are granted', () => {
    expect(may(acl, path('/inbox'), 'delete')).toBe(true);
    expect(may(acl, path('/inbox'), 'delete', { name: 'acme', groups: [] })).toBe(false);
    expect(may(acl, path('/inbox'), 'upload', { name: 'other', groups: ['clerks'] })).toBe(false);
  });

  it('does not treat a name with the same prefix as a parent folder', () => {
    expect(may(acl, path('/inbox2/a.csv'), 'upload')).toBe(false);
  });

  it('does not treat a group as a user of the same name', () => {
    expect(may([{ path: rootPath, grants: [{ group: 'acme', permissions: ['list'] }] }], rootPath, 'list')).toBe(false);
  });

  it('gives the reason with the answer', () => {
    const question = { vfsName: 'files', acl, user: acme, permission: 'delete' } as const;
    expect(decideAccess({ ...question, path: path('/inbox/a') }).why).toBe(
      'The rule on /inbox of files grants delete to group clerks',
    );
    expect(decideAccess({ ...question, path: path('/x') }).why).toBe(
      'The rule on / of files does not grant delete to user acme',
    );
    expect(decideAccess({ ...question, acl: [], path: path('/x') }).why).toBe('files has no rule on /x or above it');
    expect(decideAccess({ ...question, acl: undefined, path: path('/x') }).why).toBe('ACLs are not enabled on files');
  });

  it('inherits: a path without a rule has the rule of its folder', () => {
    fc.assert(
      fc.property(aclArbitrary, pathArbitrary, permissionArbitrary, (rules, where, permission) => {
        fc.pre(where !== rootPath && !rules.some((rule) => rule.path === where));
        expect(may(rules, where, permission)).toBe(may(rules, parentOf(where), permission));
      }),
    );
  });

  it('is local: a rule changes nothing outside its own tree', () => {
    fc.assert(
      fc.property(
        aclArbitrary,
        pathArbitrary,
        pathArbitrary,
        permissionArbitrary,
        (rules, ruled, where, permission) => {
          fc.pre(!isWithin(where, ruled));
          const others = rules.filter((rule) => rule.path !== ruled);
          const everything = { path: ruled, grants: [{ user: 'acme', permissions: allPermissions }] };
          expect(may([...others, everything], where, permission)).toBe(may(rules, where, permission));
        },
      ),
    );
  });

  it('does not depend on the order of the rules', () => {
    fc.assert(
      fc.property(aclArbitrary, pathArbitrary, permissionArbitrary, (rules, where, permission) => {
        expect(may(rules.toReversed(), where, permission)).toBe(may(rules, where, permission));
      }),
    );
  });

  it('never allows what no grant on the path or above it gives', () => {
    fc.assert(
      fc.property(aclArbitrary, pathArbitrary, permissionArbitrary, (rules, where, permission) => {
        const given = rules
          .filter((rule) => isWithin(where, rule.path) && segmentsOf(rule.path).length <= segmentsOf(where).length)
          .flatMap(({ grants }) => grants)
          .some(
            ({ user, group, permissions }) =>
              (user === 'acme' || group === 'clerks') && permissions.includes(permission),
          );
        expect(may(rules, where, permission) && !given).toBe(false);
      }),
    );
  });
});
