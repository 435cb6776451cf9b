import type { AccessRule } from '@waybill/contracts/endpoints/administration/access-rule';
import { describe, expect, it } from 'vitest';
import { objectsOfRules } from './rule-objects.ts';

const rule = (kind: AccessRule['rule'], name: string): AccessRule => ({ rule: kind, name, allows: true, why: '' });
const addressesOf = (rules: readonly AccessRule[], cluster?: string) =>
  objectsOfRules({ user: 'ann', cluster, rules: [...rules] }).map((one) => one && `${one.collection}/${one.name}`);

describe('the objects of the rules that decide about access', () => {
  it('are named by the rule itself, or by one before it', () => {
    const rules = [
      rule('user', 'ann'),
      rule('authentication', 'either'),
      rule('server', 'cluster1/web'),
      rule('address', '10.0.0.5'),
      rule('connection-contract', 'ann-web'),
      rule('clause', 'clauses[0]'),
      rule('mount', '/'),
      rule('virtual-file-system', 'ann-files'),
      rule('permission', '/inbox'),
    ];
    expect(addressesOf(rules, 'cluster1')).toEqual([
      'users/ann',
      'users/ann',
      'clusters/cluster1',
      undefined,
      'connection-contracts/ann-web',
      'connection-contracts/ann-web',
      'connection-contracts/ann-web',
      'virtual-file-systems/ann-files',
      'virtual-file-systems/ann-files',
    ]);
  });

  it('are none where the object is what is missing', () => {
    expect(addressesOf([rule('server', 'HTTP'), rule('connection-contract', ''), rule('mount', '/')])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
