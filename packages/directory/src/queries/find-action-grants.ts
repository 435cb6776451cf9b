import type { Queryable } from '@waybill/postgres/database';
import type { ActionGrant } from '../access/action.ts';
import { queryRows } from './query-rows.ts';

/** A grant, the actor that gives it, and since when there is the contract of its action: in milliseconds since 1970. */
export interface GivenGrant {
  readonly grant: ActionGrant;
  readonly actorId: string;
  readonly sinceMs: number;
}

interface GrantRow extends Omit<ActionGrant, 'path'> {
  readonly path: ActionGrant['path'] | null;
  readonly sinceMs: number;
  readonly actorId: string;
}

/** What an action grants now, enabled or not; nothing if it was removed. A VFS that was removed is left out. */
export async function findActionGrants(
  on: Queryable,
  { contract, action }: { contract: string; action: string },
): Promise<GivenGrant[]> {
  const rows = await queryRows<GrantRow>(
    on,
    `SELECT floor(date_part('epoch', k.created_at) * 1000) AS "sinceMs", k.actor_id AS "actorId", v.id AS "vfsId", given.vfs, given.path, given.rights
       FROM directory.contract_actions a
       JOIN directory.contracts k ON k.id = a.contract_id
       CROSS JOIN LATERAL jsonb_to_recordset(a.grants) AS given (vfs text, path text, rights jsonb)
       JOIN directory.virtual_file_systems v ON v.name = given.vfs AND v.retired_at IS NULL
      WHERE k.name = :contract AND a.name = :action`,
    { contract, action },
  );
  return rows.map(({ path, sinceMs, actorId, ...grant }) => ({
    grant: { ...grant, ...(path !== null && { path }) },
    sinceMs,
    actorId,
  }));
}
