import { apiKeyHash, newApiKey } from '@waybill/access/api-key';
import { type Principal, reachOf } from '@waybill/access/principal';
import type { ApiKeyView, NewApiKey } from '@waybill/contracts/endpoints/access/api-key-endpoints';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import type { Permission } from '@waybill/contracts/roles/permissions';
import { holdConfiguration } from '@waybill/directory/apply/reconcile-configuration';
import { recordedDifference } from '@waybill/directory/differences/recorded-difference';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database, Transaction } from '@waybill/postgres/database';
import type { JobSite } from '../../config.ts';
import type { ApiKeys } from '../../domain/access/api-keys.ts';
import { assertScope } from './api-key-scope.ts';

const dayMs = 86_400_000;
const defaultDays = 90;
const daysAtMost = 366;
const keysAtMost = 50;

interface KeyRow extends Omit<ApiKeyView, 'id' | 'createdAt' | 'expiresAt' | 'lastUsedAt'> {
  readonly id: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
}

const columns = `id::text, name, owner AS "user", roles, permissions, actors, networks, created_at AS "createdAt",
  expires_at AS "expiresAt", last_used_at AS "lastUsedAt", last_used_from AS "lastUsedFrom"`;

/** API keys in schema `access`: only their hashes are stored. */
export function createKnexApiKeys(db: Database, site: JobSite): ApiKeys {
  return {
    create: async (by, wanted) => {
      if (by.apiKeyId !== undefined) throw new CodedError('not_permitted', { detail: 'Log in to create an API key' });
      const { permissions = [], expires } = wanted;
      const { roles = permissions.length > 0 ? [] : by.roles } = wanted;
      const expiresAt = expires === undefined ? new Date(Date.now() + defaultDays * dayMs) : new Date(expires);
      assertExpiry(expiresAt);
      const key = newApiKey();
      return await db.transaction(async (trx) => {
        await assertConfigured(trx, by);
        await assertActors(trx, by, wanted.actors ?? []);
        await assertScope(trx, by, { roles, permissions, actors: wanted.actors });
        const view = await insert(trx, by, { ...wanted, roles, permissions, expiresAt, key });
        await audit(trx, site, 'entityCreated', { ...view, by });
        return { ...view, key };
      });
    },
    list: async (by, { user = null, after = '0', limit = null } = {}) => {
      const { rows } = await db.raw<{ rows: KeyRow[] }>(
        `SELECT ${columns} FROM access.api_keys
          WHERE ${reached} AND owner = COALESCE(CAST(:user AS text), owner)
            AND api_keys.id > CAST(:after AS bigint)
          ORDER BY api_keys.id LIMIT CAST(:limit AS bigint)`,
        { ...reachFor(by, 'identities:read'), user, after, limit },
      );
      return rows.map(viewOf);
    },
    revoke: async (by, id) => {
      await db.transaction(async (trx) => {
        const { rows } = await trx.raw<{ rows: KeyRow[] }>(
          `DELETE FROM access.api_keys WHERE id = :id AND ${reached} RETURNING ${columns}`,
          { id, ...reachFor(by, 'identities:delete') },
        );
        const [revoked] = rows.map(viewOf);
        if (!revoked) throw new CodedError('entity_unknown', { detail: `There is no API key ${id}` });
        await audit(trx, site, 'entityDeleted', { ...revoked, by });
      });
    },
  };
}

/** A key belongs to a user of the configuration: others, whom an issuer has identified, have rights only while they are logged in. */
async function assertConfigured(trx: Transaction, { userName }: Principal): Promise<void> {
  const { rows } = await trx.raw<{ rows: unknown[] }>('SELECT name FROM directory.manager_users WHERE name = ?', [
    userName,
  ]);
  if (rows.length > 0) return;
  throw new CodedError('not_permitted', { detail: 'Only users of the configuration have API keys' });
}

/** A caller whose roles are limited to actors does not learn which others exist. */
async function assertActors(trx: Transaction, { grants }: Principal, actors: readonly string[]): Promise<void> {
  if (actors.length === 0) return;
  await holdConfiguration(trx);
  const { rows } = await trx.raw<{ rows: { name: string }[] }>(
    'SELECT name FROM directory.actors WHERE name IN (SELECT jsonb_array_elements_text(CAST(:actors AS jsonb)))',
    { actors: JSON.stringify(actors) },
  );
  const isReached = (name: string): boolean =>
    grants.some(({ actors: own }) => own === undefined || own.includes(name));
  const known = new Set(rows.map(({ name }) => name).filter(isReached));
  const unknown = actors.flatMap((name, index) =>
    known.has(name) ? [] : [{ field: `actors[${index}]`, message: `there is no actor ${name}` }],
  );
  const [first] = unknown;
  if (!first) return;
  throw new CodedError('validation_failed', { detail: `${first.field}: ${first.message}`, fields: unknown });
}

async function insert(
  trx: Transaction,
  { userName }: Principal,
  wanted: Omit<NewApiKey, 'roles' | 'permissions'> & {
    readonly roles: readonly string[];
    readonly permissions: readonly string[];
    readonly expiresAt: Date;
    readonly key: string;
  },
): Promise<ApiKeyView> {
  const { name, roles, permissions, actors, networks, expiresAt, key } = wanted;
  const listOf = (texts: readonly string[] | undefined): string | null => (texts ? JSON.stringify(texts) : null);
  // One after the other for each user, so that their number is exact.
  await trx.raw(`SELECT pg_advisory_xact_lock(hashtextextended('waybill api keys of ' || :userName, 0))`, { userName });
  const { rows: own } = await trx.raw<{ rows: { name: string }[] }>(
    'SELECT name FROM access.api_keys WHERE owner = :userName',
    { userName },
  );
  if (own.some((known) => known.name === name)) {
    throw new CodedError('entity_exists', { detail: `You have an API key ${name} already` });
  }
  if (own.length >= keysAtMost) refuse('name', `would be that of more than ${keysAtMost} keys: revoke one first`);
  const { rows } = await trx.raw<{ rows: KeyRow[] }>(
    `INSERT INTO access.api_keys (name, owner, key_hash, roles, permissions, actors, networks, expires_at)
     SELECT :name, :userName, decode(:hash, 'hex'), ${arrayOf('roles')}, ${arrayOf('permissions')}, ${arrayOf('actors')},
            ${arrayOf('networks')}, :expiresAt
     RETURNING ${columns}`,
    {
      name,
      userName,
      hash: apiKeyHash(key)?.toString('hex') ?? null,
      roles: listOf(roles),
      permissions: listOf(permissions),
      actors: listOf(actors),
      networks: listOf(networks),
      expiresAt,
    },
  );
  const [row] = rows;
  if (!row) throw new Error('no row came back for an API key');
  return viewOf(row);
}

/** SQL for the list in a JSON parameter; null for none. */
function arrayOf(name: string): string {
  return `CASE WHEN CAST(:${name} AS jsonb) IS NULL THEN NULL
    ELSE ARRAY (SELECT jsonb_array_elements_text(CAST(:${name} AS jsonb))) END`;
}

function assertExpiry(expiresAt: Date): void {
  const days = (expiresAt.getTime() - Date.now()) / dayMs;
  if (days <= 0) refuse('expires', 'is over');
  if (days > daysAtMost) refuse('expires', `is more than ${daysAtMost} days from now`);
}

/** The keys of `reachFor`. */
const reached = `owner = COALESCE(CAST(:owner AS text), owner) AND api_keys.id = COALESCE(CAST(:self AS bigint), api_keys.id)`;

/** Without the permission, a user reaches the user's own keys, and a key reaches itself alone: a stolen one takes no other away. */
function reachFor({ grants, userName, apiKeyId }: Principal, permission: Permission) {
  const all = { owner: null, self: null };
  return reachOf(grants, permission) === 'all' ? all : { owner: userName, self: apiKeyId ?? null };
}

function viewOf({ id, createdAt, expiresAt, lastUsedAt, ...row }: KeyRow): ApiKeyView {
  return {
    ...row,
    id: Number(id),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}

async function audit(
  trx: Transaction,
  { managerName, nodeName: nodeId }: JobSite,
  fact: 'entityCreated' | 'entityDeleted',
  { id, by, ...key }: ApiKeyView & { readonly by: Principal },
): Promise<void> {
  const { name, user, roles, permissions, actors, networks, expiresAt } = key;
  const settings = { name, user, roles, permissions, actors, networks, expiresAt };
  const changed = fact === 'entityCreated' ? { after: settings } : { before: settings };
  const context = { difference: recordedDifference(changed, new Set()) };
  const entity = { entityType: 'API Key', entityName: `${user}/${name}`, entityId: String(id) };
  const payload = composeAuditEvent(fact, { managerName, nodeId, user: by.userName, ...entity, context });
  await appendToOutbox(trx, [{ topic: 'audit-event', payload }]);
}

function refuse(field: string, message: string): never {
  throw new CodedError('validation_failed', { detail: `${field}: ${message}`, fields: [{ field, message }] });
}
