import type { AccessRule } from '@waybill/contracts/endpoints/administration/access-rule';
import type { Protocol } from '@waybill/contracts/values/protocol';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { Queryable } from '@waybill/postgres/database';
import { findFrozenUser } from '../logins/frozen-users.ts';
import { queryRows } from '../queries/query-rows.ts';
import { canLogIn } from '../users/login-ways.ts';
import type { PartnerUser } from '../users/partner-user.ts';

/** Whether a user is there and may log in at all. */
export async function explainUser(on: Queryable, name: UserName, user: PartnerUser | undefined): Promise<AccessRule[]> {
  const rule = (allows: boolean, why: string): AccessRule[] => [{ rule: 'user', name, allows, why }];
  if (user?.enabled === true) return rule(true, `User ${name} of actor ${user.actorName} is enabled`);
  if (user === undefined) {
    const isManager = await isManagerUser(on, name);
    const managers = 'manager users log in to the management interfaces only';
    return rule(false, isManager ? `${name} is a manager user: ${managers}` : `There is no user ${name} of an actor`);
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
