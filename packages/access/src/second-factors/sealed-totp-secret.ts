import type { UserName } from '@waybill/contracts/values/user-name';
import type { Database } from '@waybill/postgres/database';
import type { KeyRing } from '@waybill/secrets/key-ring';
import { sealSecret, type SealedSecret, unsealSecret } from '@waybill/secrets/sealed-secret';
import { Secret } from '@waybill/service-kit/config/secret';
import { type FactorHolders, factorTables } from './factor-holders.ts';

/** The user of an authenticator app. */
export interface FactorHolder {
  readonly of: FactorHolders;
  readonly userName: UserName;
}

/** Encrypts the secret of an authenticator app for its user. */
export function sealTotpSecret(ring: KeyRing, holder: FactorHolder, secret: Buffer): SealedSecret {
  return sealSecret(ring, identityOf(holder), new Secret(secret.toString('base64')));
}

/** @throws CodedError `secret_unreadable` */
export function unsealTotpSecret(ring: KeyRing, holder: FactorHolder, sealed: SealedSecret): Buffer {
  return Buffer.from(unsealSecret(ring, identityOf(holder), sealed).reveal(), 'base64');
}

/** No actor has such a name: a ciphertext of the other secrets is never taken for one of these, nor that of a partner for a manager's. */
function identityOf({ of, userName }: FactorHolder) {
  return { owner: of === 'managers' ? '/second factors/' : '/second factors of partners/', name: userName };
}

/**
 * Encrypts all secrets of retired keys with the active one, and returns how many; those that are changed meanwhile keep the change.
 * @throws CodedError `secret_unreadable`
 */
export async function reencryptSecondFactors(db: Database, ring: KeyRing): Promise<number> {
  return (await reencrypt(db, ring, 'managers')) + (await reencrypt(db, ring, 'partners'));
}

async function reencrypt(db: Database, ring: KeyRing, of: FactorHolders): Promise<number> {
  const { factors } = factorTables[of];
  const { rows } = await db.raw<{ rows: (SealedSecret & { readonly userName: UserName })[] }>(
    `SELECT user_name AS "userName", key_id AS "keyId", ciphertext FROM ${factors} WHERE key_id <> ?`,
    [ring.activeId],
  );
  let count = 0;
  for (const { userName, ...former } of rows) {
    const { keyId, ciphertext } = sealTotpSecret(
      ring,
      { of, userName },
      unsealTotpSecret(ring, { of, userName }, former),
    );
    const replaced = await db(factors)
      .where({ user_name: userName, ciphertext: former.ciphertext })
      .update({ key_id: keyId, ciphertext });
    count += replaced;
  }
  return count;
}
