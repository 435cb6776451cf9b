import type { Queryable } from '@waybill/postgres/database';
import type { ActionGrant } from '../access/action.ts';
import { queryRows } from './query-rows.ts';

/** What an action grants now, enabled or not; nothing if it was removed. A VFS that was removed is left out. */
export async function findActionGrants(
  on: Queryable,
  { contract, action }: { contract: string; action: string },
): Promise<ActionGrant[]> {
  const rows = await queryRows<Omit<ActionGrant, 'path'> & { path: ActionGrant['path'] | null }>(
    on,
    `SELECT v.id AS "vfsId", given.vfs, given.path, given.rights
       FROM directory.contract_actions a
       JOIN directory.contracts k ON k.id = a.contract_id
       CROSS JOIN LATERAL jsonb_to_recordset(a.grants) AS given (vfs text, path text, rights jsonb)
       JOIN directory.virtual_file_systems v ON v.name = given.vfs AND v.retired_at IS NULL
      WHERE k.name = :contract AND a.name = :action`,
    { contract, action },
  );
  return rows.map(({ path, ...grant }) => ({ ...grant, ...(path !== null && { path }) }));
}
