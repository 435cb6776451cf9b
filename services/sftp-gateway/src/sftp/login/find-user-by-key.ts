import type { UserName } from '@waybill/contracts/values/user-name';
import type { Directory } from '@waybill/directory/directory';
import { isAllowedFrom } from '@waybill/directory/users/allowed-networks';
import { hasExpired } from '@waybill/directory/users/login-ways';
import type { PartnerUser, UserKey } from '@waybill/directory/users/partner-user';
import { mayUse } from './legacy-use.ts';

/** A key that a client logs in with, or offers. */
export interface OfferedKey {
  /** Type and blob of RFC 4253, section 6.6. */
  readonly type: string;
  readonly blob: Buffer;
  /** An RSA key that signs with SHA-1, which needs an exception. */
  readonly withSha1: boolean;
}

/** A user, and the key of the user's login attempt. */
export interface KeyHolder {
  readonly user: PartnerUser;
  readonly key: UserKey['key'];
}

/**
 * The enabled user, if this public key is one of the user's, has not expired, and the user may log in with keys and from here. The
 * proof of the private key is checked elsewhere.
 */
export async function findUserByKey(
  directory: Pick<Directory, 'findPartnerUser'>,
  userName: UserName,
  { key: offered, clientAddress }: { readonly key: OfferedKey; readonly clientAddress: string },
): Promise<KeyHolder | undefined> {
  const user = await directory.findPartnerUser(userName);
  const found = user?.publicKeys.find((known) => {
    const [type, base64 = ''] = known.key.split(' ');
    return !hasExpired(known) && type === offered.type && Buffer.from(base64, 'base64').equals(offered.blob);
  });
  if (user?.enabled !== true || found === undefined || user.authentication === 'password') return undefined;
  if (!isAllowedFrom(user.networks, clientAddress)) return undefined;
  if (offered.withSha1 && !mayUse(user, 'ssh-rsa')) return undefined;
  return { user, key: found.key };
}
