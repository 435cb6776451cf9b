import type { AccessRule } from '@waybill/contracts/endpoints/administration/access-rule';
import type { Protocol } from '@waybill/contracts/values/protocol';
import type { Queryable } from '@waybill/postgres/database';
import { type AccountStanding, findAccountStanding } from '../accounts/account-standing.ts';
import { canLogIn } from '../users/login-ways.ts';
import type { PartnerUser } from '../users/partner-user.ts';

/**
 * What the account policy demands of a user before a login with the password: another password, and a second factor. No rule
 * for a user who has a key for this protocol and may log in with it alone, or whose policy never demands anything.
 */
export async function explainAccount(
  on: Queryable,
  { user, protocol }: { readonly user: PartnerUser; readonly protocol: Protocol },
  hasSecondFactor: () => Promise<boolean>,
): Promise<AccessRule[]> {
  if (canLogIn({ ...user, passwordHash: undefined }, protocol)) return [];
  const standing = await findAccountStanding(on, { kind: 'partner', id: user.id });
  if (standing === undefined) return [];
  const why = whyNot(user, protocol, standing) ?? (await whyNoFactor(user, standing, hasSecondFactor));
  const { name, partnerSecondFactor, passwords } = standing.policy;
  if (why !== undefined) return [{ rule: 'account', name, allows: false, why }];
  if (partnerSecondFactor !== 'required' && passwords.expiresAfterDays === undefined) return [];
  return [
    {
      rule: 'account',
      name,
      allows: true,
      why: `The account policy ${name} demands nothing of user ${user.name} first`,
    },
  ];
}

function whyNot({ name }: PartnerUser, protocol: Protocol, { passwordDemand }: AccountStanding): string | undefined {
  if (passwordDemand === undefined) return undefined;
  const why =
    passwordDemand === 'expired' ? `The password of user ${name} has expired` : `User ${name} must change the password`;
  return `${why}; it can be changed over HTTP${protocol === 'SFTP' ? ', or at the login with keyboard-interactive' : ''}`;
}

/** A key and a password are two factors already. */
async function whyNoFactor(
  { name, authentication }: PartnerUser,
  { policy }: AccountStanding,
  hasSecondFactor: () => Promise<boolean>,
): Promise<string | undefined> {
  if (policy.partnerSecondFactor !== 'required' || authentication === 'both' || (await hasSecondFactor()))
    return undefined;
  return `The account policy ${policy.name} demands a second factor, and user ${name} has set none up`;
}
