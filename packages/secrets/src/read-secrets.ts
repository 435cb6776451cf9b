import type { Database } from '@waybill/postgres/database';
import type { Secret } from '@waybill/service-kit/config/secret';
import type { KeyRingSource } from './key-ring-source.ts';
import { auditSecret, type ChangedBy, secretUnknown } from './manage-secrets.ts';
import { sealSecret, unsealSecret, type SealedSecret, type SecretId } from './sealed-secret.ts';

/** Reads secrets for connections; the caller keeps them no longer than it needs them. */
export interface SecretReader {
  /** @throws CodedError `secret_unknown`, `secret_unreadable`, `configuration_invalid` (no key ring) */
  read(id: SecretId): Promise<Secret>;
}

interface SecretRow {
  owner: string;
  name: string;
  key_id: string;
  ciphertext: Buffer;
}

/** Reads and decrypts secrets, each time from the database: a changed secret is in force with the next connection. */
export function createSecretReader(db: Database, ringSource: KeyRingSource): SecretReader {
  return {
    read: async (id) => {
      const row = await db<SecretRow>('secrets.secrets').where({ owner: id.owner, name: id.name }).first();
      if (!row) throw secretUnknown(id);
      return unsealSecret(ringSource(), id, sealedIn(row));
    },
  };
}

/**
 * Encrypts all secrets of retired keys with the active one, and returns how many. It needs the privileges of the worker.
 * Afterwards no secret needs the retired keys. Secrets that are changed meanwhile keep the change. Each secret is audited, with
 * the ids of both keys, in the transaction that replaces it.
 * @throws CodedError `secret_unreadable` if a key is missing; the secrets before it stay re-encrypted
 */
export async function reencryptSecrets(db: Database, ringSource: KeyRingSource, by: ChangedBy): Promise<number> {
  const ring = ringSource();
  const rows = await db<SecretRow>('secrets.secrets').whereNot({ key_id: ring.activeId }).orderBy(['owner', 'name']);
  let count = 0;
  for (const row of rows) {
    const id = { owner: row.owner, name: row.name };
    const { keyId, ciphertext } = sealSecret(ring, id, unsealSecret(ring, id, sealedIn(row)));
    count += await db.transaction(async (trx) => {
      const replaced = await trx<SecretRow>('secrets.secrets')
        .where({ ...id, ciphertext: row.ciphertext })
        .update({ key_id: keyId, ciphertext });
      const difference = JSON.stringify({ before: { keyId: row.key_id }, after: { keyId } });
      if (replaced > 0) await auditSecret(trx, 'entityModified', id, { ...by, context: { difference } });
      return replaced;
    });
  }
  return count;
}

function sealedIn({ key_id: keyId, ciphertext }: SecretRow): SealedSecret {
  return { keyId, ciphertext };
}
