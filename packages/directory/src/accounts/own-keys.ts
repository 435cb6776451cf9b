import { createHash } from 'node:crypto';
import type { SshKeyRules } from '@waybill/contracts/configuration/accounts/account-policy';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { type AuditedFact, composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database, Queryable } from '@waybill/postgres/database';
import { queryRows } from '../queries/query-rows.ts';
import type { PartnerUser } from '../users/partner-user.ts';
import { keyFingerprint, type PublicKeyLine } from '../users/public-key-line.ts';
import { builtInPolicy, findAccountStanding } from './account-standing.ts';
import { type ProposedKey, readProposedKey } from './proposed-key.ts';

/** A key that its user sees. */
export interface AccountKey {
  /** The SHA-256 of the key in base64url, without padding: the fingerprint as part of an address. */
  readonly id: string;
  readonly key: PublicKeyLine;
  readonly comment: string | undefined;
  readonly expiresAt: Date | undefined;
  readonly lastUsedAt: Date | undefined;
  /** When the user added it; undefined for a key of the configuration. */
  readonly addedAt: Date | undefined;
}

/** The SSH keys of partner users, as the users manage them. */
export interface OwnKeys {
  list(user: PartnerUser): Promise<{ readonly keys: readonly AccountKey[]; readonly rules: SshKeyRules }>;
  /**
   * Adds a key, with which the user can log in from now on, and audits that.
   * @throws CodedError `ssh_keys_not_allowed`, `ssh_key_refused`, `already_exists`
   */
  add(user: PartnerUser, proposed: ProposedKey): Promise<AccountKey>;
  /** Deletes a key that the user has added, and audits that. @throws CodedError `ssh_key_unknown`, `ssh_key_fixed` */
  remove(user: PartnerUser, id: string): Promise<void>;
}

/** The keys in the directory. `site`: the server that the user is logged in to. */
export function createOwnKeys(db: Database, site: { peerName: string; managerName: string }): OwnKeys {
  const rulesFor = async (on: Queryable, { id }: PartnerUser): Promise<SshKeyRules> =>
    ((await findAccountStanding(on, { kind: 'partner', id }))?.policy ?? builtInPolicy).sshKeys;
  const note = async (on: Queryable, fact: AuditedFact, { id, name }: PartnerUser, key: PublicKeyLine) => {
    const entity = { entityType: 'External User', entityName: name, entityId: id };
    const names = { fingerprint: fingerprintOf(key) };
    const place = { nodeId: site.peerName, managerName: site.managerName };
    const payload = composeAuditEvent(fact, { user: name, ...place, ...entity, names });
    await appendToOutbox(on, [{ topic: 'audit-event', payload }]);
  };
  return {
    list: async (user) => ({ keys: await readKeys(db, user), rules: await rulesFor(db, user) }),
    add: (user, proposed) =>
      db.transaction(async (trx) => {
        // Two keys at once would otherwise each find room for one.
        await trx.raw("SELECT pg_advisory_xact_lock(hashtextextended('waybill own keys ' || ?, 0))", [user.id]);
        const rules = await rulesFor(trx, user);
        assertAllowed(user, rules);
        const wanted = readProposedKey(proposed, rules);
        const present = await readKeys(trx, user);
        if (present.some(({ key }) => key === wanted.key)) {
          throw new CodedError('already_exists', { detail: 'You have this key already' });
        }
        if (present.filter(({ addedAt }) => addedAt !== undefined).length >= rules.maximum) {
          throw new CodedError('ssh_key_refused', { detail: `You can add ${rules.maximum} keys: delete one first` });
        }
        await insertKey(trx, user, wanted);
        await note(trx, 'sshKeyAdded', user, wanted.key);
        return found(await readKeys(trx, user), idOf(wanted.key));
      }),
    remove: (user, id) =>
      db.transaction(async (trx) => {
        await note(trx, 'sshKeyDeleted', user, await deleteOwnKey(trx, user, id));
      }),
  };
}

/** Deletes a key that the user has added. @throws CodedError `ssh_key_unknown`, `ssh_key_fixed` */
export async function deleteOwnKey(on: Queryable, user: Pick<PartnerUser, 'id'>, id: string): Promise<PublicKeyLine> {
  const { key, addedAt } = found(await readKeys(on, user), id);
  if (addedAt === undefined) throw new CodedError('ssh_key_fixed');
  const sql = 'DELETE FROM directory.own_keys WHERE user_id = ? AND key = ? RETURNING key';
  const { rows } = await on.raw<{ rows: unknown[] }>(sql, [user.id, key]);
  if (rows.length === 0) throw new CodedError('ssh_key_unknown');
  return key;
}

function assertAllowed({ authentication }: PartnerUser, { allowed }: SshKeyRules): void {
  if (!allowed) throw new CodedError('ssh_keys_not_allowed');
  if (authentication === 'password') {
    throw new CodedError('ssh_keys_not_allowed', { detail: 'Your account logs in with a password only' });
  }
}

function found(keys: readonly AccountKey[], id: string): AccountKey {
  const key = keys.find((one) => one.id === id);
  if (key === undefined) throw new CodedError('ssh_key_unknown');
  return key;
}

async function insertKey(
  on: Queryable,
  { id }: PartnerUser,
  { key, comment, expiresAt }: ReturnType<typeof readProposedKey>,
): Promise<void> {
  await on.raw(
    `INSERT INTO directory.own_keys (user_id, key, comment, expires_at)
     VALUES (:id, :key, :comment, CAST(:expiresAt AS timestamptz))`,
    { id, key, comment: comment ?? null, expiresAt: expiresAt?.toISOString() ?? null },
  );
}

interface KeyRow {
  key: PublicKeyLine;
  comment: string | null;
  expires: Date | null;
  added: Date | null;
  used: Date | null;
}

/** The keys of a user: those of the configuration first, then the others in the order in which they were added. */
export async function readKeys(on: Queryable, { id }: Pick<PartnerUser, 'id'>): Promise<AccountKey[]> {
  const rows = await queryRows<KeyRow>(
    on,
    `SELECT k.key, k.comment, k.expires, k.added, e.last_used_at AS used
       FROM (
         SELECT c ->> 'key' AS key, c ->> 'comment' AS comment, CAST(c ->> 'expires' AS timestamptz) AS expires,
                CAST(NULL AS timestamptz) AS added
           FROM directory.partner_users u, jsonb_array_elements(u.definition -> 'publicKeys') c WHERE u.id = :id
         UNION ALL
         SELECT key, comment, expires_at, added_at FROM directory.own_keys WHERE user_id = :id) k
       LEFT JOIN directory.key_uses e ON e.user_id = :id AND e.key = k.key
      ORDER BY k.added NULLS FIRST, k.key`,
    { id },
  );
  return rows.map(({ key, comment, expires, added, used }) => ({
    id: idOf(key),
    key,
    comment: comment ?? undefined,
    expiresAt: expires ?? undefined,
    addedAt: added ?? undefined,
    lastUsedAt: used ?? undefined,
  }));
}

function blobOf(key: PublicKeyLine): Buffer {
  return Buffer.from(key.split(' ')[1] ?? '', 'base64');
}

function idOf(key: PublicKeyLine): string {
  return createHash('sha256').update(blobOf(key)).digest('base64url');
}

/** As `ssh-keygen -l` shows it. */
export function fingerprintOf(key: PublicKeyLine): string {
  return keyFingerprint(blobOf(key));
}
