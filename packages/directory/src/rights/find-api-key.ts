import { coverGrants, type Grant, grantsOf } from '@waybill/access/principal';
import type { RoleConfiguration } from '@waybill/contracts/roles/role-configuration';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { Queryable } from '@waybill/postgres/database';
import { createNetworkList } from '@waybill/service-kit/network/network-list';
import { queryRows } from '../queries/query-rows.ts';
import type { Rights } from './find-rights.ts';

/** An API key that is not revoked, and what it allows now. */
export interface ApiKey extends Rights {
  /** Decimal. */
  readonly id: string;
  readonly owner: UserName;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
  /** Whether the key may be used from an address. */
  isAllowedFrom(address: string): boolean;
}

interface KeyRow {
  readonly id: string;
  readonly owner: UserName;
  readonly expiresAt: Date;
  readonly wanted: string[];
  readonly owned: string[];
  readonly actors: string[] | null;
  readonly networks: string[] | null;
  readonly defined: RoleConfiguration[];
}

/** A key of a user who was removed or disabled does not exist. */
const sql = `
  SELECT k.id::text, k.owner, k.expires_at AS "expiresAt", k.actors, k.networks,
         k.roles AS wanted, m.roles AS owned,
         (SELECT coalesce(jsonb_agg(r.definition), '[]') FROM directory.roles r WHERE r.name = ANY (k.roles || m.roles)) AS defined
    FROM access.api_keys k
    JOIN directory.manager_users m ON m.name = k.owner AND m.enabled
   WHERE k.key_hash = decode(:hash, 'hex')`;

/** The key with this hash. */
export async function findApiKey(on: Queryable, hash: Buffer): Promise<ApiKey | undefined> {
  const [row] = await queryRows<KeyRow>(on, sql, { hash: hash.toString('hex') });
  if (!row) return undefined;
  const { id, owner, actors, networks } = row;
  const list = networks === null ? undefined : createNetworkList(networks);
  const { roles, grants } = rightsOf(row);
  return {
    id,
    owner,
    roles,
    expiresAt: row.expiresAt.getTime(),
    grants: actors === null ? grants : grants.map((grant) => limited(grant, actors)),
    isAllowedFrom: (address) => list === undefined || list(address),
  };
}

/**
 * What a key has of its roles: those that its owner still has, and the rights of others that give no right beyond those of the
 * owner. Who is asked for by a role, as approvals do, is a matter of the owner's roles alone.
 */
function rightsOf({ wanted, owned, defined }: KeyRow): Rights {
  const definitions = new Map(defined.map((role) => [role.name, role]));
  const ofOwner = grantsOf(owned, definitions);
  const usable = wanted.filter((role) => owned.includes(role) || coverGrants(ofOwner, grantsOf([role], definitions)));
  return { roles: usable.filter((role) => owned.includes(role)), grants: grantsOf(usable, definitions) };
}

function limited({ permissions, actors }: Grant, to: readonly string[]): Grant {
  return { permissions, actors: actors === undefined ? to : actors.filter((actor) => to.includes(actor)) };
}

/** Remembers the use of a key, at most once a minute. */
export async function noteApiKeyUse(on: Queryable, id: string, address: string): Promise<void> {
  await on.raw(
    `UPDATE access.api_keys SET last_used_at = now(), last_used_from = :address
      WHERE id = CAST(:id AS bigint) AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
    { id, address },
  );
}
