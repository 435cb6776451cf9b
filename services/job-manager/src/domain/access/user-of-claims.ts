import { CodedError } from '@waybill/contracts/errors/coded-error';
import { configuredUserNameSchema, objectionToNewName } from '@waybill/contracts/values/configured-names';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { ClaimRules } from './oidc-settings.ts';

/** A user of an outside issuer, as a login knows it. */
export interface OutsideUser {
  readonly name: UserName;
  readonly roles: readonly string[];
}

/**
 * The user whom the claims of an ID token name. The roles are those of the groups that the rules know; other groups are ignored.
 * @throws CodedError `oidc_login_refused` without a name, with one that could be taken for another one, or without any role
 */
export function userOfClaims(rules: ClaimRules, claims: Readonly<Record<string, unknown>>): OutsideUser {
  const name = configuredUserNameSchema.safeParse(claimOf(claims, rules.userClaim));
  if (!name.success) refuse(`The issuer states no user name in ${rules.userClaim}`);
  const why = objectionToNewName(name.data);
  if (why !== undefined) refuse(`The user name in ${rules.userClaim} ${why}`);
  const stated = claimOf(claims, rules.rolesClaim);
  const groups = new Set(Array.isArray(stated) ? stated : [stated]);
  const roles = Object.entries(rules.roles).flatMap(([group, names]) => (groups.has(group) ? names : []));
  if (roles.length === 0) refuse(`The user ${name.data} has none of the groups that have a role here`);
  return { name: name.data, roles: [...new Set(roles)] };
}

function claimOf(claims: Readonly<Record<string, unknown>>, claim: string): unknown {
  return Object.hasOwn(claims, claim) ? claims[claim] : undefined;
}

function refuse(detail: string): never {
  throw new CodedError('oidc_login_refused', { detail });
}
