import type { Queryable } from '@waybill/postgres/database';
import type { Vfs } from '../access/mounts.ts';
import { queryRows, searchableName } from './query-rows.ts';

const select =
  'SELECT id, name, acl_enabled AS "aclEnabled" FROM directory.virtual_file_systems WHERE retired_at IS NULL';

/** The VFS with this id. Ids are decimal: no VFS has any other text as its id. */
export async function findVfs(on: Queryable, id: string): Promise<Vfs | undefined> {
  if (!/^\d{1,18}$/u.test(id)) return undefined;
  const rows = await queryRows<Vfs>(on, `${select} AND id = :id`, { id });
  return rows[0];
}

/** The name of the actor to which the VFS with this name belongs; empty if it belongs to none. `undefined`: there is no such VFS. */
export async function findVfsActor(on: Queryable, name: string): Promise<string | undefined> {
  const searched = searchableName(name);
  if (searched === undefined) return undefined;
  const rows = await queryRows<{ actor: string | null }>(
    on,
    `SELECT o.name AS actor FROM directory.virtual_file_systems v LEFT JOIN directory.actors o ON o.id = v.actor_id
      WHERE v.retired_at IS NULL AND v.name = :name`,
    { name: searched },
  );
  const [row] = rows;
  return row && (row.actor ?? '');
}

/** The VFS with this name. */
export async function findVfsByName(on: Queryable, name: string): Promise<Vfs | undefined> {
  const searched = searchableName(name);
  if (searched === undefined) return undefined;
  const rows = await queryRows<Vfs>(on, `${select} AND name = :name`, { name: searched });
  return rows[0];
}
