import type { Authentication } from '@waybill/contracts/configuration/user-configuration';
import type { Protocol } from '@waybill/contracts/values/protocol';
import type { PartnerUser } from './partner-user.ts';

/** What a user proves in a login, or has to prove it with. */
export interface LoginMeans {
  readonly password: boolean;
  readonly key: boolean;
}

/** Whether this is enough for a login of a user with this setting. */
export function sufficesForLogin(authentication: Authentication, { password, key }: LoginMeans): boolean {
  return { password, key, both: password && key, either: password || key }[authentication];
}

/** When something with this expiry ends, in milliseconds since 1970; `Infinity` if it does not. */
export function endOf({ expires }: { readonly expires?: string | undefined }): number {
  return expires === undefined ? Infinity : Date.parse(expires);
}

/** Whether a key or an account has expired. */
export function hasExpired(expiring: { readonly expires?: string | undefined }, nowMs = Date.now()): boolean {
  return endOf(expiring) <= nowMs;
}

/** Whether a user has what a login over a protocol requires. Logins over HTTP take a password, and no key. */
export function canLogIn(
  { authentication, passwordHash, publicKeys }: Pick<PartnerUser, 'authentication' | 'passwordHash' | 'publicKeys'>,
  protocol: Protocol,
): boolean {
  const key = protocol === 'SFTP' && publicKeys.some((one) => !hasExpired(one));
  return sufficesForLogin(authentication, { password: passwordHash !== undefined, key });
}
