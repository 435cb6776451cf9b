import { createHash } from 'node:crypto';
import { secretBytesAtMost } from '@waybill/contracts/configuration/secret-reference';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { composeAuditEvent, type AuditedFact } from '@waybill/contracts/messages/audit-catalogue';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database, Queryable, Transaction } from '@waybill/postgres/database';
import { likePattern } from '@waybill/postgres/like-pattern';
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
  readonly conditions?: SecretConditions;
  /** Called first in the transaction: throws if there is no such owner, and else keeps the owner until the end. */
  readonly holdOwner: (trx: Transaction, owner: string) => Promise<void>;
}

/** Conditions on the secret that is stored now. */
export interface SecretConditions {
  /** Versions of which one has to be the stored one; `*`: any. */
  readonly ifMatch?: readonly string[] | undefined;
  /** There must not be one. */
  readonly ifAbsent?: boolean;
  /** There must be one. */
  readonly ifPresent?: boolean;
}

/**
 * Stores a secret, in place of one with the same identity. Returns whether it is new, and what may be shown of it. It is audited
 * without its value. @throws CodedError `validation_failed` if the value is empty or too long, `entity_exists`, `secret_unknown`, `precondition_failed`
 */
export async function setSecret(
  db: Database,
  { ring, id, value, publicKey, by, conditions, holdOwner }: StoredSecret,
): Promise<{ readonly isNew: boolean; readonly secret: ListedSecret }> {
  assertStorable(value);
  const { keyId, ciphertext } = sealSecret(ring, id, value);
  return await db.transaction(async (trx) => {
    await holdOwner(trx, id.owner);
    // The operator may not read the row that it replaces: an UPSERT would have to.
    await lockSecret(trx, id);
    const before = await findOnConditions(trx, id, conditions);
    const replaced = await trx('secrets.secrets')
      .where({ owner: id.owner, name: id.name })
      .update({ key_id: keyId, ciphertext, public_key: publicKey ?? null, updated_at: trx.fn.now() });
    if (replaced === 0)
      await trx('secrets.secrets').insert({ ...id, key_id: keyId, ciphertext, public_key: publicKey ?? null });
    const secret = await findSecret(trx, id);
    if (!secret) throw secretUnknown(id);
    const context = publicDifference(before, secret);
    await auditSecret(trx, replaced === 0 ? 'entityCreated' : 'entityModified', id, { ...by, ...context });
    return { isNew: replaced === 0, secret };
  });
}

/** @throws CodedError `validation_failed` if a value is empty or too long */
export function assertStorable(value: Secret): void {
  const bytes = Buffer.byteLength(value.reveal());
  if (bytes === 0) throw new CodedError('validation_failed', { detail: 'The secret is empty' });
  if (bytes <= secretBytesAtMost) return;
  throw new CodedError('validation_failed', { detail: `The secret is longer than ${secretBytesAtMost} bytes` });
}

interface ListedRow {
  readonly owner: string;
  readonly name: string;
  readonly key_id: string;
  readonly updated_at: Date;
  readonly public_key: string | null;
}

/** By owner and name, or by name and owner. */
export interface SecretOrder {
  readonly by: 'owner' | 'name';
  readonly descending: boolean;
}

/** Which secrets are wanted. */
export interface WantedSecrets {
  readonly owners?: readonly string[] | undefined;
  /** Only those with a public key. */
  readonly withPublicKey?: boolean;
  /** Only those with this name, in which `*` matches any sequence. */
  readonly name?: string | undefined;
  readonly order?: SecretOrder;
  /** Only those behind this one, in their order. */
  readonly after?: SecretId | undefined;
  readonly limit?: number;
}

/** All secrets that are wanted, by owner and name if no other order is. */
export async function listSecrets(
  on: Queryable,
  { owners, withPublicKey, name, order = { by: 'owner', descending: false }, after, limit }: WantedSecrets = {},
): Promise<ListedSecret[]> {
  const columns = order.by === 'owner' ? (['owner', 'name'] as const) : (['name', 'owner'] as const);
  const direction = order.descending ? 'desc' : 'asc';
  const listed = selectListed(on).orderBy(columns.map((column) => ({ column, order: direction })));
  if (owners) void listed.whereIn('owner', [...owners]);
  if (withPublicKey) void listed.whereNotNull('public_key');
  if (name !== undefined) void listed.whereLike('name', likePattern(name));
  if (after) {
    const behind = `(${columns.join(', ')}) ${order.descending ? '<' : '>'} (?, ?)`;
    void listed.whereRaw(
      behind,
      columns.map((column) => after[column]),
    );
  }
  if (limit !== undefined) void listed.limit(limit);
  return (await listed).map(listedOf);
}

/** What may be shown of one secret. */
export async function findSecret(on: Queryable, { owner, name }: SecretId): Promise<ListedSecret | undefined> {
  const [row] = await selectListed(on).where({ owner, name });
  return row && listedOf(row);
}

/** The version of a secret: another one each time that it is stored or encrypted with another key. */
export function versionOfSecret({ owner, name, keyId, updatedAt }: ListedSecret): string {
  const content = JSON.stringify([owner, name, keyId, updatedAt.getTime()]);
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}

/**
 * Deletes a secret. `check` is called in the transaction: if it throws, nothing is deleted.
 * @throws CodedError `secret_unknown`, `precondition_failed`
 */
export async function deleteSecret(
  db: Database,
  id: SecretId,
  {
    by,
    ifMatch,
    check,
  }: Omit<SecretConditions, 'ifAbsent'> & {
    readonly by: ChangedBy;
    readonly check?: ((trx: Transaction) => Promise<void>) | undefined;
  },
): Promise<void> {
  await db.transaction(async (trx) => {
    await lockSecret(trx, id);
    const stored = await findOnConditions(trx, id, { ifMatch, ifPresent: true });
    await check?.(trx);
    await trx('secrets.secrets').where({ owner: id.owner, name: id.name }).delete();
    await auditSecret(trx, 'entityDeleted', id, { ...by, ...publicDifference(stored, undefined) });
  });
}

/** Deletes all secrets of actors: a later actor of the same name has none of them. */
export async function deleteSecretsOf(trx: Transaction, actors: readonly string[], by: ChangedBy): Promise<void> {
  const deleted = await trx<ListedRow>('secrets.secrets')
    .whereIn('owner', [...actors])
    .delete()
    .returning(['owner', 'name', 'key_id', 'updated_at', 'public_key']);
  for (const secret of deleted.map(listedOf))
    await auditSecret(trx, 'entityDeleted', secret, { ...by, ...publicDifference(secret, undefined) });
}

async function lockSecret(trx: Transaction, { owner, name }: SecretId): Promise<void> {
  await trx.raw('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [`waybill secret ${owner}/${name}`]);
}

/**
 * The secret that is stored now, if it meets the conditions of a change.
 * @throws CodedError `secret_unknown`, `entity_exists`, `precondition_failed`
 */
export async function findOnConditions(
  on: Queryable,
  id: SecretId,
  { ifMatch, ifAbsent = false, ifPresent = false }: SecretConditions = {},
): Promise<ListedSecret | undefined> {
  const stored = await findSecret(on, id);
  if (ifPresent && !stored) throw secretUnknown(id);
  if (ifAbsent && stored) throw new CodedError('entity_exists', { detail: `The secret ${id.name} exists already` });
  const isMet =
    ifMatch === undefined || (stored && (ifMatch.includes('*') || ifMatch.includes(versionOfSecret(stored))));
  if (!isMet) throw new CodedError('precondition_failed');
  return stored;
}

function selectListed(on: Queryable) {
  return on<ListedRow>('secrets.secrets').select('owner', 'name', 'key_id', 'updated_at', 'public_key');
}

function listedOf({ owner, name, ...row }: ListedRow): ListedSecret {
  return { owner, name, keyId: row.key_id, updatedAt: row.updated_at, publicKey: row.public_key ?? undefined };
}

/** The public keys before and after a change, for the audit log; nothing if there are none, or if they are the same. */
function publicDifference(before: ListedSecret | undefined, after: ListedSecret | undefined): PublicDifference {
  if (before?.publicKey === after?.publicKey) return {};
  const shown = ({ publicKey }: ListedSecret) => ({ ...(publicKey !== undefined && { publicKey }) });
  const sides = { ...(before && { before: shown(before) }), ...(after && { after: shown(after) }) };
  return { context: { difference: JSON.stringify(sides) } };
}

interface PublicDifference {
  readonly context?: { readonly difference: string };
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
  by: ChangedBy & PublicDifference,
): Promise<void> {
  const entityName = owner === '' ? name : `${owner}/${name}`;
  const payload = composeAuditEvent(fact, { ...by, entityType: 'Secret', entityName, entityId: entityName });
  await appendToOutbox(trx, [{ topic: 'audit-event', payload }]);
}
