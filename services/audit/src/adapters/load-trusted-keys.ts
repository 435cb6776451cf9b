import type { Database, Transaction } from '@waybill/postgres/database';
import { type KeyVoucher, keysTrustedThrough, vouchFor } from '../domain/keys/key-voucher.ts';
import type { Signer } from '../domain/keys/signer.ts';
import { createTrustedKeys, type TrustedKeys } from '../domain/keys/trusted-keys.ts';

/** The keys of the audit log at the start of a process. */
export interface LoadedKeys {
  readonly trusted: TrustedKeys;
  /** Untrusted keys that have signed the log. */
  readonly unknown: readonly string[];
}

/**
 * Trusts the signing key, those that the configuration or the files name, and those for which these vouch in the
 * log. The signing key vouches for every retired key, and for every named key that has signed something there, so
 * that it need not be named again. Revoked keys are never trusted, and vouch for no key.
 */
export async function loadTrustedKeys(
  db: Database,
  options: {
    signer: Signer;
    named: readonly string[];
    /** The keys of `named` with which another process may still sign. */
    retired: readonly string[];
    revoked: readonly string[];
  },
): Promise<LoadedKeys> {
  const { signer, named, retired, revoked } = options;
  const isGood = (publicKey: string): boolean => publicKey === signer.publicKey || !revoked.includes(publicKey);
  return db.transaction(async (trx) => {
    const vouchers = (await readVouchers(trx)).filter(
      (voucher) => isGood(voucher.publicKey) && isGood(voucher.vouchedBy),
    );
    const keys = keysTrustedThrough([signer.publicKey, ...named.filter(isGood)], vouchers);
    const remembered = keysTrustedThrough([signer.publicKey], vouchers);
    const used = await readUsedKeys(trx);
    for (const publicKey of new Set([...used, ...retired])) {
      if (keys.includes(publicKey) && !remembered.includes(publicKey))
        await insertVoucher(trx, vouchFor(publicKey, signer));
    }
    return { trusted: createTrustedKeys(keys), unknown: used.filter((publicKey) => !keys.includes(publicKey)) };
  });
}

async function readVouchers(trx: Transaction): Promise<KeyVoucher[]> {
  const { rows } = await trx.raw<{ rows: KeyVoucher[] }>(
    'SELECT public_key AS "publicKey", vouched_by AS "vouchedBy", signature FROM audit.key_vouchers',
  );
  return rows;
}

async function readUsedKeys(trx: Transaction): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { key: string }[] }>(
    'SELECT public_key AS key FROM audit.log_keys UNION SELECT public_key FROM audit.head ORDER BY key',
  );
  return rows.map(({ key }) => key);
}

async function insertVoucher(trx: Transaction, voucher: KeyVoucher): Promise<void> {
  await trx.raw(
    `INSERT INTO audit.key_vouchers (public_key, vouched_by, signature) VALUES (:publicKey, :vouchedBy, :signature)
     ON CONFLICT DO NOTHING`,
    { ...voucher },
  );
}
