import { createHash } from 'node:crypto';
import { isAllowedFrom } from '../users/allowed-networks.ts';
import { endOf, hasExpired, sufficesForLogin } from '../users/login-ways.ts';
import type { PartnerUser, UserKey } from '../users/partner-user.ts';
import type { PublicKeyLine } from '../users/public-key-line.ts';

/** The credentials of a login, and where it comes from. */
export interface LoginProof {
  /** The epoch of the user at the login. */
  readonly loginEpoch: number;
  /** The result of `passwordCredential`, for a login with a password. */
  readonly password?: string | undefined;
  /** The key, for a login with a key. */
  readonly key?: PublicKeyLine | undefined;
  /** The address of the login, and that of the request if it is another one. */
  readonly addresses: readonly string[];
}

/**
 * A digest that changes with the password, and when the user is frozen or disabled. It reveals nothing about the
 * password.
 */
export function passwordCredential({ id, loginEpoch, passwordHash }: PartnerUser): string {
  return createHash('sha256')
    .update(JSON.stringify([id, loginEpoch, passwordHash ?? null]))
    .digest('base64url');
}

/** The proof of a login of this user: with the password, with a key, or with both. */
export function proofOfLogin(
  user: PartnerUser,
  by: { password: boolean; key?: PublicKeyLine | undefined; addresses: readonly string[] },
): LoginProof {
  return {
    loginEpoch: user.loginEpoch,
    addresses: by.addresses,
    ...(by.password && { password: passwordCredential(user) }),
    ...(by.key !== undefined && { key: by.key }),
  };
}

/**
 * Why a login is no longer valid, as worded in the audit log; undefined while it is valid. `user` is the current
 * state.
 */
export function whyLoginEnded(user: PartnerUser | undefined, proof: LoginProof): string | undefined {
  if (user === undefined) return 'the user was removed';
  if (hasExpired(user)) return 'the account has expired';
  if (!user.enabled || user.loginEpoch !== proof.loginEpoch) return 'the user was frozen or disabled';
  if (proof.password !== undefined && proof.password !== passwordCredential(user)) {
    return 'the user has another password';
  }
  const key = keyOf(user, proof);
  if (proof.key !== undefined && key === undefined) return 'the key of the login was removed';
  if (key !== undefined && hasExpired(key)) return 'the key of the login has expired';
  if (proof.addresses.some((address) => !isAllowedFrom(user.networks, address))) {
    return 'the user may no longer log in from this address';
  }
  const means = { password: proof.password !== undefined, key: proof.key !== undefined };
  return sufficesForLogin(user.authentication, means) ? undefined : 'the user may no longer log in this way';
}

/** The time at which a login, or a group of its user, expires, in milliseconds since 1970; `Infinity`: never. */
export function expiryOfLogin(user: PartnerUser, proof: LoginProof): number {
  const key = keyOf(user, proof);
  return Math.min(endOf(user), endOf(key ?? {}), endOf({ expires: user.groupsExpire }));
}

function keyOf({ publicKeys }: PartnerUser, proof: LoginProof): UserKey | undefined {
  return proof.key === undefined ? undefined : publicKeys.find(({ key }) => key === proof.key);
}
