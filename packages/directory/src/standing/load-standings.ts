import type { Queryable } from '@waybill/postgres/database';
import { createMounts, type Mounts } from '../access/mounts.ts';
import { partnerUserColumns, type PartnerUserRow, partnerUserOf } from '../queries/find-partner-user.ts';
import { mountsColumn, type MountRow, reachedMounts } from '../queries/load-mounts.ts';
import { queryRows } from '../queries/query-rows.ts';
import { endOf } from '../users/login-ways.ts';
import type { PartnerUser } from '../users/partner-user.ts';

/**
 * The current state of a user, with the tree that the user sees on a server; it has no mounts without a Connection
 * Contract.
 */
export interface Standing {
  readonly user: PartnerUser;
  readonly mounts: Mounts;
}

/** One statement, so that its results are consistent. */
const sql = `
  SELECT ${partnerUserColumns}, ${mountsColumn} AS mounts
  FROM directory.partner_users u JOIN directory.actors a ON a.id = u.actor_id
  WHERE u.id = ANY (CAST(:userIds AS bigint[]))`;

/**
 * The standings of users on a server, by their ids, and the version to which they belong; removed users are
 * missing. At another time than now if `nowMs` says so, in milliseconds since 1970.
 */
export async function loadStandings(
  on: Queryable,
  userIds: readonly string[],
  { cluster, server }: { cluster: string; server: string },
  nowMs?: number,
): Promise<ReadonlyMap<string, Standing>> {
  const rows = await queryRows<PartnerUserRow & { mounts: MountRow[] }>(on, sql, {
    userIds: `{${userIds.join(',')}}`,
    cluster,
    server,
  });
  return new Map(
    rows.map(({ mounts, ...row }) => {
      const user = partnerUserOf(row, nowMs);
      const until = { accessVersion: user.accessVersion, expiresAt: endOf({ expires: user.groupsExpire }) };
      return [user.id, { user, mounts: createMounts(user, reachedMounts(mounts, user), until) }];
    }),
  );
}

/** The version of the data from which permissions are derived. If it has not changed, neither have they. */
export async function readAccessVersion(on: Queryable): Promise<number> {
  const [row] = await queryRows<{ version: number }>(on, 'SELECT version FROM directory.access_state');
  if (row === undefined) throw new Error('directory.access_state is empty');
  return row.version;
}
