import { type Grant, grantsOf, intersectGrants, limitGrants } from '@waybill/access/principal';
import { type PermissionPattern, permissionsOf } from '@waybill/contracts/roles/permissions';
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
  readonly roles: string[];
  readonly permissions: PermissionPattern[];
  readonly actors: string[] | null;
  readonly networks: string[] | null;
  readonly rolesOfOwner: string[];
  readonly defined: RoleConfiguration[];
}

/** A key of a user who was removed or disabled does not exist. */
const sql = `
  SELECT k.id::text, k.owner, k.expires_at AS "expiresAt", k.roles, k.permissions, k.actors, k.networks, m.roles AS "rolesOfOwner",
         (SELECT coalesce(jsonb_agg(r.definition), '[]') FROM directory.roles r
           WHERE r.name = ANY (k.roles) OR r.name = ANY (m.roles)) AS defined
    FROM access.api_keys k
    JOIN directory.manager_users m ON m.name = k.owner AND m.enabled
   WHERE k.key_hash = decode(:hash, 'hex')`;

/** The key with this hash. */
export async function findApiKey(on: Queryable, hash: Buffer): Promise<ApiKey | undefined> {
  const [row] = await queryRows<KeyRow>(on, sql, { hash: hash.toString('hex') });
  if (!row) return undefined;
  const { id, owner, networks } = row;
  const list = networks === null ? undefined : createNetworkList(networks);
  return {
    id,
    owner,
    ...rightsOf(row),
    expiresAt: row.expiresAt.getTime(),
    isAllowedFrom: (address) => list === undefined || list(address),
  };
}

/**
 * A key may do what both its scope and its owner's roles allow now. Approvals name roles: a key decides with those that it and its owner
 * have, or with all of its owner if it has the permission itself.
 */
function rightsOf({ roles, permissions, actors, rolesOfOwner, defined }: KeyRow): Rights {
  const definitions = new Map(defined.map((role) => [role.name, role]));
  const own: Grant = { permissions: permissionsOf(permissions), actors: undefined };
  const scope = limitGrants([...grantsOf(roles, definitions), own], actors ?? undefined);
  const decidesAsOwner = own.permissions.has('approvals:run');
  return {
    roles: decidesAsOwner ? rolesOfOwner : rolesOfOwner.filter((role) => roles.includes(role)),
    grants: intersectGrants(grantsOf(rolesOfOwner, definitions), scope),
  };
}

/** Remembers the use of a key, at most once a minute. */
export async function noteApiKeyUse(on: Queryable, id: string, address: string): Promise<void> {
  await on.raw(
    `UPDATE access.api_keys SET last_used_at = now(), last_used_from = :address
      WHERE id = CAST(:id AS bigint) AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
    { id, address },
  );
}
