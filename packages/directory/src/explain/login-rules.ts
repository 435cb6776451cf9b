import type { ActorScope } from '@waybill/access/principal';
import type { AccessRule } from '@waybill/contracts/endpoints/administration/access-rule';
import type { Protocol } from '@waybill/contracts/values/protocol';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { Queryable } from '@waybill/postgres/database';
import { findFrozenUser } from '../logins/frozen-users.ts';
import { queryRows } from '../queries/query-rows.ts';
import { isAmong } from '../users/allowed-networks.ts';
import { canLogIn, hasExpired } from '../users/login-ways.ts';
import type { NetworkRule } from '../users/memberships.ts';
import type { PartnerUser } from '../users/partner-user.ts';

/** Whether a user is there and may log in at all. Who is limited to actors does not learn of manager users either. */
export async function explainUser(
  on: Queryable,
  { user: name, actors }: { readonly user: UserName; readonly actors?: ActorScope },
  user: PartnerUser | undefined,
): Promise<AccessRule[]> {
  const rule = (allows: boolean, why: string): AccessRule[] => [{ rule: 'user', name, allows, why }];
  if (user?.enabled === true) return rule(true, `User ${name} of actor ${user.actorName} is enabled`);
  if (user === undefined) {
    const isManager = actors === undefined && (await isManagerUser(on, name));
    const managers = 'manager users log in to the management interfaces only';
    return rule(false, isManager ? `${name} is a manager user: ${managers}` : `There is no user ${name} of an actor`);
  }
  if (hasExpired(user)) {
    return rule(false, `The account of user ${name} of actor ${user.actorName} has expired at ${user.expires}`);
  }
  const frozen = await findFrozenUser(on, name);
  if (frozen === undefined) return rule(false, `User ${name} of actor ${user.actorName} is disabled`);
  return rule(false, `User ${name} was frozen by ${frozen.frozenBy} at ${frozen.frozenAt.toISOString()}`);
}

async function isManagerUser(on: Queryable, name: UserName): Promise<boolean> {
  const rows = await queryRows(on, 'SELECT FROM directory.manager_users WHERE name = :name', { name });
  return rows.length > 0;
}

/** Whether a user has what a login over a protocol requires. */
export function explainLogin(user: PartnerUser, protocol: Protocol): AccessRule[] {
  const { authentication: name } = user;
  const means = {
    password: 'a password',
    key: 'a key',
    both: 'a key and a password',
    either: 'a key or a password',
  }[name];
  const why = `User ${user.name} logs in with ${means} (authentication: ${name})`;
  const rule = (allows: boolean, reason: string): AccessRule[] => [
    { rule: 'authentication', name, allows, why: reason },
  ];
  if (canLogIn(user, protocol)) return rule(true, why);
  return rule(
    false,
    protocol === 'HTTP'
      ? `${why}, and logins over HTTP take a password alone, which the user must have`
      : `${why}, and the user has no password or no key that is valid`,
  );
}

/** Networks that are named at most. */
const shownAtMost = 10;

/** Whether a user may log in from an address, the refusals last; no rule for users who may log in from any. */
export function explainNetworks({ name, networks }: PartnerUser, address: string | undefined): AccessRule[] {
  const rules = networks.map((rule) => explainNetwork(rule, name, address));
  return [...rules.filter(({ allows }) => allows), ...rules.filter(({ allows }) => !allows)];
}

function explainNetwork({ group, networks }: NetworkRule, userName: string, address: string | undefined): AccessRule {
  const more = networks.length > shownAtMost ? ` and ${networks.length - shownAtMost} more` : '';
  const whose = group === undefined ? `user ${userName}` : `group ${group}`;
  const listed = `the networks of ${whose}: ${networks.slice(0, shownAtMost).join(', ')}${more}`;
  if (address === undefined) {
    return { rule: 'network', name: '', allows: true, why: `No address is given to compare with ${listed}` };
  }
  const allows = isAmong(networks, address);
  return { rule: 'network', name: address, allows, why: `${address} is ${allows ? '' : 'not '}in ${listed}` };
}
