import { pathOfStored, parseVirtualPath, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Queryable } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';

/** The present places of the files with these ids, by id. Files that were removed or replaced are left out. */
export async function findFilePlaces(
  db: Queryable,
  vfsId: string,
  ids: readonly string[],
): Promise<Map<string, VirtualPath>> {
  const rows = await runPrepared<{ id: string; folder_path: string; name: string }>(db, placesStatement, {
    vfsId,
    ids,
  });
  return new Map(
    rows.map(({ id, folder_path: folder, name }) => [id, pathOfStored(parseVirtualPath(folder), name)] as const),
  );
}

const placesStatement = prepareStatement(
  'filebox find file places',
  `SELECT CAST(id AS text) AS id, filebox.path_of(parent_id) AS folder_path, name FROM filebox.entries
   WHERE id = ANY (CAST(:ids AS bigint[])) AND vfs_id = :vfsId AND kind = 'file'`,
);
