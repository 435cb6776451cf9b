import { CodedError } from '@waybill/contracts/errors/coded-error';
import { composeAuditEvent, type AuditedFact } from '@waybill/contracts/messages/audit-catalogue';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database, Queryable, Transaction } from '@waybill/postgres/database';
import type { Secret } from '@waybill/service-kit/config/secret';
import type { KeyRing } from './key-ring.ts';
import { sealSecret, type SecretId } from './sealed-secret.ts';

/** Who changes a secret, for the audit log. */
export interface ChangedBy {
  readonly user: string;
  readonly nodeId: string;
  readonly managerName: string;
}

/** What may be shown of a secret: never its value or its ciphertext. */
export interface ListedSecret extends SecretId {
  readonly keyId: string;
  readonly updatedAt: Date;
  /** The public part of a private SSH key, as one line. */
  readonly publicKey: string | undefined;
}

/** A secret to be stored, encrypted with the active key of the ring. */
export interface StoredSecret {
  readonly ring: KeyRing;
  readonly id: SecretId;
  readonly value: Secret;
  /** The public part of a private SSH key, as one line: it is stored as it is. */
  readonly publicKey?: string;
  readonly by: ChangedBy;
}

/** The largest secret: far more than a password, a token or a key needs. */
export const secretBytesAtMost = 64 * 1024;

/**
 * Stores a secret, in place of one with the same identity. Returns whether it is new. It is audited without its value.
 * @throws CodedError `validation_failed` if the value is empty or too long
 */
export async function setSecret(
  db: Database,
  { ring, id, value, publicKey, by }: StoredSecret,
): Promise<{ readonly isNew: boolean }> {
  const bytes = Buffer.byteLength(value.reveal());
  if (bytes === 0) throw new CodedError('validation_failed', { detail: 'The secret is empty' });
  if (bytes > secretBytesAtMost) {
    throw new CodedError('validation_failed', { detail: `The secret is longer than ${secretBytesAtMost} bytes` });
  }
  const { keyId, ciphertext } = sealSecret(ring, id, value);
  return await db.transaction(async (trx) => {
    // The operator may not read the row that it replaces: an UPSERT would have to.
    await trx.raw('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [`waybill secret ${id.owner}/${id.name}`]);
    const replaced = await trx('secrets.secrets')
      .where({ owner: id.owner, name: id.name })
      .update({ key_id: keyId, ciphertext, public_key: publicKey ?? null, updated_at: trx.fn.now() });
    if (replaced === 0)
      await trx('secrets.secrets').insert({ ...id, key_id: keyId, ciphertext, public_key: publicKey ?? null });
    await auditSecret(trx, replaced === 0 ? 'entityCreated' : 'entityModified', id, by);
    return { isNew: replaced === 0 };
  });
}

interface ListedRow {
  readonly owner: string;
  readonly name: string;
  readonly key_id: string;
  readonly updated_at: Date;
  readonly public_key: string | null;
}

/** All secrets, by owner and name. */
export async function listSecrets(on: Queryable): Promise<ListedSecret[]> {
  const rows = await on<ListedRow>('secrets.secrets')
    .select('owner', 'name', 'key_id', 'updated_at', 'public_key')
    .orderBy(['owner', 'name']);
  return rows.map(({ owner, name, key_id: keyId, updated_at: updatedAt, public_key: publicKey }) => {
    return { owner, name, keyId, updatedAt, publicKey: publicKey ?? undefined };
  });
}

/** @throws CodedError `secret_unknown` */
export async function deleteSecret(db: Database, id: SecretId, by: ChangedBy): Promise<void> {
  await db.transaction(async (trx) => {
    const deleted = await trx('secrets.secrets').where({ owner: id.owner, name: id.name }).delete();
    if (deleted === 0) throw secretUnknown(id);
    await auditSecret(trx, 'entityDeleted', id, by);
  });
}

/** The error for a secret that is not stored. */
export function secretUnknown({ owner, name }: SecretId): CodedError {
  const whose = owner === '' ? 'The platform' : `The actor ${owner}`;
  return new CodedError('secret_unknown', { detail: `${whose} has no secret ${name}` });
}

/** Audits a change of a secret, in the transaction of the change. `difference` in the context is without its value. */
export async function auditSecret(
  trx: Transaction,
  fact: AuditedFact,
  { owner, name }: SecretId,
  by: ChangedBy & { readonly context?: { readonly difference: string } },
): Promise<void> {
  const entityName = owner === '' ? name : `${owner}/${name}`;
  const payload = composeAuditEvent(fact, { ...by, entityType: 'Secret', entityName, entityId: entityName });
  await appendToOutbox(trx, [{ topic: 'audit-event', payload }]);
}
