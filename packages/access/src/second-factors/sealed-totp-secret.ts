import type { UserName } from '@waybill/contracts/values/user-name';
import type { Database } from '@waybill/postgres/database';
import type { KeyRing } from '@waybill/secrets/key-ring';
import { sealSecret, type SealedSecret, unsealSecret } from '@waybill/secrets/sealed-secret';
import { Secret } from '@waybill/service-kit/config/secret';

/** Encrypts the secret of an authenticator app for its user. */
export function sealTotpSecret(ring: KeyRing, userName: UserName, secret: Buffer): SealedSecret {
  return sealSecret(ring, identityOf(userName), new Secret(secret.toString('base64')));
}

/** @throws CodedError `secret_unreadable` */
export function unsealTotpSecret(ring: KeyRing, userName: UserName, sealed: SealedSecret): Buffer {
  return Buffer.from(unsealSecret(ring, identityOf(userName), sealed).reveal(), 'base64');
}

/** No actor has such a name: a ciphertext of the other secrets is never taken for one of these. */
function identityOf(userName: UserName) {
  return { owner: '/second factors/', name: userName };
}

/**
 * Encrypts all secrets of retired keys with the active one, and returns how many; those that are changed meanwhile keep the change.
 * @throws CodedError `secret_unreadable`
 */
export async function reencryptSecondFactors(db: Database, ring: KeyRing): Promise<number> {
  const { rows } = await db.raw<{ rows: (SealedSecret & { readonly userName: UserName })[] }>(
    `SELECT user_name AS "userName", key_id AS "keyId", ciphertext FROM access.second_factors WHERE key_id <> ?`,
    [ring.activeId],
  );
  let count = 0;
  for (const { userName, ...former } of rows) {
    const { keyId, ciphertext } = sealTotpSecret(ring, userName, unsealTotpSecret(ring, userName, former));
    const replaced = await db('access.second_factors')
      .where({ user_name: userName, ciphertext: former.ciphertext })
      .update({ key_id: keyId, ciphertext });
    count += replaced;
  }
  return count;
}
