import type { Directory } from '@waybill/directory/directory';
import type { PartnerUser, UserKey } from '@waybill/directory/partner-user';

/** A user, and the key of the user's that a login was tried with. */
export interface KeyHolder {
  readonly user: PartnerUser;
  readonly key: UserKey['key'];
}

/**
 * The enabled user, when this public key is one of the user's, has not expired, and the user may log in with keys. That
 * the client holds the private half is proved elsewhere.
 */
export async function findUserByKey(
  directory: Pick<Directory, 'findPartnerUser'>,
  userName: string,
  offered: { readonly type: string; readonly blob: Buffer },
): Promise<KeyHolder | undefined> {
  const user = await directory.findPartnerUser(userName);
  const found = user?.publicKeys.find(({ key, expires }) => {
    const [type, base64 = ''] = key.split(' ');
    const isGood = expires === undefined || Date.parse(expires) > Date.now();
    return isGood && type === offered.type && Buffer.from(base64, 'base64').equals(offered.blob);
  });
  if (user?.enabled !== true || found === undefined || user.authentication === 'password') return undefined;
  return { user, key: found.key };
}
