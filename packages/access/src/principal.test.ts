import { type BuiltInRole, builtInRoleNames } from '@waybill/contracts/roles/built-in-roles';
import { type Permission, permissionNames } from '@waybill/contracts/roles/permissions';
import { describe, expect, it } from 'vitest';
import { coverGrants, grantsOf, reachOf } from './principal.ts';

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
