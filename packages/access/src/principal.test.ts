import { type BuiltInRole, builtInRoleNames } from '@waybill/contracts/roles/built-in-roles';
import { type Permission, permissionNames } from '@waybill/contracts/roles/permissions';
import { describe, expect, it } from 'vitest';
import { coverGrants, type Grant, grantsOf, intersectGrants, limitGrants, reachOf } from './principal.ts';

const allowed = (role: BuiltInRole): Permission[] =>
  permissionNames.filter((permission) => reachOf(grantsOf([role]), permission) === 'all');

describe('the built-in roles', () => {
  it('allow Users to list jobs but not to submit them, and Administrators both, as the interface demands', () => {
    expect(reachOf(grantsOf(['Users']), 'jobs:read')).toBe('all');
    expect(reachOf(grantsOf(['Users']), 'jobs:run')).toEqual([]);
    expect(allowed('Administrators')).toEqual(permissionNames);
  });

  it('allow Auditors to read the audit log, and nothing else', () => {
    expect(allowed('Auditors')).toEqual(['audit:read']);
  });

  it('allow Operators and Security officers neither to change the configuration nor to alter audit records', () => {
    for (const role of ['Operators', 'Security officers'] as const) {
      for (const permission of ['configuration:write', 'configuration:delete', 'audit:write'] as const) {
        expect(allowed(role)).not.toContain(permission);
      }
    }
    expect(allowed('Operators').filter((name) => name.startsWith('identities'))).toEqual([]);
  });

  it('allow Operators to follow what becomes of files, and not to read the audit log', () => {
    expect(allowed('Operators')).toContain('activity:read');
    expect(allowed('Operators')).not.toContain('audit:read');
  });

  it('allow nothing without a role, and nothing with one that does not exist', () => {
    for (const permission of permissionNames) {
      expect(reachOf(grantsOf([]), permission)).toEqual([]);
      expect(reachOf(grantsOf(['No such role', 'toString', '__proto__']), permission)).toEqual([]);
    }
  });
});

describe('a role of the configuration', () => {
  const defined = new Map([
    ['of acme', { description: '', permissions: ['jobs:*'], actors: ['acme'] }],
    ['of globex', { description: '', permissions: ['jobs:read'], actors: ['globex', 'acme'] }],
    ['Users', { description: 'never used', permissions: ['jobs:run'] }],
  ] as const);

  it('reaches its actors only, and several roles reach those of each', () => {
    const grants = grantsOf(['of acme', 'of globex'], defined);
    expect(reachOf(grants, 'jobs:read')).toEqual(['acme', 'globex']);
    expect(reachOf(grants, 'jobs:run')).toEqual(['acme']);
    expect(reachOf(grants, 'queues:read')).toEqual([]);
  });

  it('does not replace a built-in one', () => {
    expect(reachOf(grantsOf(['Users'], defined), 'jobs:run')).toEqual([]);
  });

  it('is covered by more of the same, and covers nothing that is larger', () => {
    const [acme, globex] = [grantsOf(['of acme'], defined), grantsOf(['of globex'], defined)];
    expect(coverGrants(acme, acme)).toBe(true);
    expect(coverGrants(grantsOf(['Operators']), acme)).toBe(true);
    expect(coverGrants(acme, globex)).toBe(false);
    expect(coverGrants(acme, grantsOf(['Operators']))).toBe(false);
    expect(coverGrants([...acme, ...globex], globex)).toBe(true);
    for (const role of builtInRoleNames) expect(coverGrants(grantsOf(['Administrators']), grantsOf([role]))).toBe(true);
    expect(coverGrants(acme, [])).toBe(true);
  });
});

describe('what both of two lists of grants allow', () => {
  const grant = (permissions: readonly Permission[], actors?: readonly string[]): Grant => ({
    permissions: new Set(permissions),
    actors,
  });
  const both = (grants: readonly Grant[], others: readonly Grant[], permission: Permission) => [
    reachOf(intersectGrants(grants, others), permission),
    reachOf(intersectGrants(others, grants), permission),
  ];

  it('is reached with each of them, permission by permission', () => {
    const owner = [grant(['jobs:read', 'jobs:run']), grant(['queues:read'], ['acme', 'globex'])];
    const scope = [grant(['jobs:read', 'queues:read', 'audit:read'], ['globex', 'initech'])];
    expect(both(owner, scope, 'jobs:read')).toEqual([
      ['globex', 'initech'],
      ['globex', 'initech'],
    ]);
    expect(both(owner, scope, 'queues:read')).toEqual([['globex'], ['globex']]);
    for (const foreign of ['jobs:run', 'audit:read'] as const) expect(both(owner, scope, foreign)).toEqual([[], []]);
    expect(both(owner, owner, 'jobs:run')).toEqual(['all', 'all']);
  });

  it('is nothing, not everything, for actors of which none is the same', () => {
    const [acme, globex] = [[grant(['jobs:read'], ['acme'])], [grant(['jobs:read'], ['globex'])]];
    expect(intersectGrants(acme, globex)).toEqual([]);
    expect(reachOf(limitGrants(acme, ['globex']), 'jobs:read')).toEqual([]);
    expect(reachOf(limitGrants(acme, undefined), 'jobs:read')).toEqual(['acme']);
    expect(intersectGrants([], acme)).toEqual([]);
  });
});
