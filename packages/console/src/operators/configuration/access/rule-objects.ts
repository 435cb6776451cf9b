import type { AccessRule } from '@waybill/contracts/endpoints/administration/access-rule';
import type { AccessExplanation } from '@waybill/contracts/endpoints/administration/explain-access';

/** An object that a rule is about. */
export interface RuleObject {
  readonly collection: string;
  readonly name: string;
}

/**
 * The object that each rule is, or is a part of; undefined for a rule without an object, such as a ban. What a rule is a part of, such as the
 * contract of a clause, is named by a rule before it.
 */
export function objectsOfRules({
  user,
  cluster,
  rules,
}: Pick<AccessExplanation, 'cluster' | 'rules'> & { readonly user: string }): readonly (RuleObject | undefined)[] {
  return rules.map(({ rule, name }, index) => {
    const before = (kind: AccessRule['rule']): string | undefined =>
      rules.slice(0, index).findLast((one) => one.rule === kind)?.name;
    const ofContract = named('connection-contracts', before('connection-contract'));
    const found: Readonly<Record<AccessRule['rule'], RuleObject | undefined>> = {
      user: named('users', user),
      authentication: named('users', user),
      network: named('users', user),
      account: named('account-policies', name),
      server: named('clusters', cluster),
      address: undefined,
      'connection-contract': named('connection-contracts', name),
      clause: ofContract,
      mount: ofContract,
      group: named('groups', name),
      'virtual-file-system': named('virtual-file-systems', name),
      permission: named('virtual-file-systems', before('virtual-file-system')),
      limit: named('virtual-file-systems', name),
    };
    return found[rule];
  });
}

/** A rule that misses an object names none. */
function named(collection: string, name: string | undefined): RuleObject | undefined {
  return name === undefined || name === '' ? undefined : { collection, name };
}
