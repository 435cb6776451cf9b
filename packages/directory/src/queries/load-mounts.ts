import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Queryable } from '@waybill/postgres/database';
import { createMounts, type MountClause, type Mounts, type RuledMount } from '../access/mounts.ts';
import { endOf, hasExpired } from '../users/login-ways.ts';
import { combineMemberships, type DefinedGroup, definedGroupsColumn } from '../users/memberships.ts';
import { enabledColumn } from './find-partner-user.ts';
import { queryRows } from './query-rows.ts';

interface UserRow {
  name: string;
  groups: string[];
  definedGroups: readonly DefinedGroup[];
  enabled: boolean;
  expires: string | null;
  version: number;
  mounts: MountRow[];
}

/** An element of `mountsColumn`. */
export type MountRow = Omit<RuledMount, 'acl' | 'clause'> & {
  readonly acl: RuledMount['acl'] | null;
  readonly clause: MountClause;
};

/**
 * What clauses that name a user `u` or a group of the user mount on `:server` of `:cluster`: `reachedMounts` decides which of
 * them are in force.
 */
export const mountsColumn = `COALESCE((
      SELECT jsonb_agg(jsonb_build_object(
        'connectionContract', bound.contract_name,
        'clause', jsonb_build_object('position', bound.position, 'user', bound.user_name, 'group', bound.group_name),
        'mountPath', bound.mount_path,
        'vfs', jsonb_build_object('id', CAST(v.id AS text), 'name', v.name, 'aclEnabled', v.acl_enabled),
        'acl', CASE WHEN v.acl_enabled THEN COALESCE((
          SELECT jsonb_agg(jsonb_build_object('path', r.path, 'grants', r.grants))
            FROM directory.acl_rules r WHERE r.vfs_id = v.id), '[]') END
      ) ORDER BY bound.mount_path, bound.contract_name, bound.position)
      FROM (
        SELECT cl.mount_path, cl.vfs_id, cl.position, cl.user_name, cl.group_name,
               cc.name AS contract_name
          FROM directory.connection_contracts cc
          JOIN directory.connection_clauses cl ON cl.connection_contract_id = cc.id
         WHERE cc.actor_id = u.actor_id AND cc.enabled
           AND cc.cluster_name = :cluster AND cc.server_name = :server
           AND (cl.user_name = u.name OR cl.group_name = ANY (u.groups))
      ) bound
      JOIN directory.virtual_file_systems v ON v.id = bound.vfs_id AND v.retired_at IS NULL
    ), '[]')`;

/** A single statement, so that its result is consistent. */
const sql = `
  SELECT u.name, u.groups, ${definedGroupsColumn} AS "definedGroups", (SELECT version FROM directory.access_state) AS version,
    ${enabledColumn} AS enabled,
    u.definition ->> 'expires' AS expires,
    ${mountsColumn} AS mounts
  FROM directory.partner_users u WHERE u.id = :userId`;

/**
 * The tree of a user on a server.
 * @throws CodedError `connection_contract_missing`; `not_authenticated` if the user was removed or disabled, or the account has expired
 */
export async function loadMounts(
  on: Queryable,
  userId: string,
  { cluster, server }: { cluster: string; server: string },
): Promise<Mounts> {
  const [user] = await queryRows<UserRow>(on, sql, { userId, cluster, server });
  if (!user?.enabled || hasExpired({ expires: user.expires ?? undefined }))
    throw new CodedError('not_authenticated', { detail: 'The user is not enabled any more' });
  const { name } = user;
  const { groups, groupsExpire } = combineMemberships(
    { ...user, networks: null, maxSessions: null },
    user.definedGroups,
  );
  const member = { name, groups };
  const mounts = reachedMounts(user.mounts, member);
  if (mounts.length === 0) throw new CodedError('connection_contract_missing');
  return createMounts(member, mounts, { accessVersion: user.version, expiresAt: endOf({ expires: groupsExpire }) });
}

/** The mounts of a user who is in these groups: the first clause that names the user or one of them decides what is at a path. */
export function reachedMounts(
  rows: readonly MountRow[],
  { name, groups }: { readonly name: string; readonly groups: readonly string[] },
): RuledMount[] {
  const concerning = rows.filter(
    ({ clause }) => clause.user === name || (clause.group !== null && groups.includes(clause.group)),
  );
  const first = new Map(concerning.toReversed().map((row) => [row.mountPath, row]));
  return [...first.values()].toReversed().map((mount) => ({ ...mount, acl: mount.acl ?? undefined }));
}
