import type { Authentication } from '@waybill/contracts/configuration/user-configuration';
import type { Protocol } from '@waybill/contracts/values/protocol';
import type { PartnerUser, UserKey } from './partner-user.ts';

/** What a user proves in a login, or has to prove it with. */
export interface LoginMeans {
  readonly password: boolean;
  readonly key: boolean;
}

/** Whether this is enough for a login of a user with this setting. */
export function sufficesForLogin(authentication: Authentication, { password, key }: LoginMeans): boolean {
  return { password, key, both: password && key, either: password || key }[authentication];
}

/** Whether a key has not expired. */
export function isValidKey({ expires }: Pick<UserKey, 'expires'>): boolean {
  return expires === undefined || Date.parse(expires) > Date.now();
}

/** Whether a user has what a login over a protocol requires. Logins over HTTP take a password, and no key. */
export function canLogIn(
  { authentication, passwordHash, publicKeys }: Pick<PartnerUser, 'authentication' | 'passwordHash' | 'publicKeys'>,
  protocol: Protocol,
): boolean {
  const key = protocol === 'SFTP' && publicKeys.some(isValidKey);
  return sufficesForLogin(authentication, { password: passwordHash !== undefined, key });
}
