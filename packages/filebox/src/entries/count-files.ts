import type { Database, Transaction } from '@waybill/postgres/database';
import { preferIndexes } from '@waybill/postgres/prefer-indexes';

/** How many VFSs a statement counts. */
const systemsAtOnce = 500;

/** The number of files in each VFS that has any, including running uploads into it. */
export async function countFiles(db: Database, vfsIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  if (vfsIds.length === 0) return counts;
  await db.transaction(async (trx) => {
    await preferIndexes(trx);
    for (let at = 0; at < vfsIds.length; at += systemsAtOnce)
      for (const { vfs_id: id, files } of await countSome(trx, vfsIds.slice(at, at + systemsAtOnce)))
        counts.set(id, Number(files));
  });
  return counts;
}

async function countSome(trx: Transaction, ids: readonly string[]): Promise<{ vfs_id: string; files: string }[]> {
  const { rows } = await trx.raw<{ rows: { vfs_id: string; files: string }[] }>(
    `WITH RECURSIVE folders AS (
       SELECT id, vfs_id FROM filebox.entries WHERE vfs_id = ANY (CAST(:ids AS text[])) AND parent_id IS NULL
       UNION ALL
       SELECT e.id, f.vfs_id FROM filebox.entries e JOIN folders f ON e.parent_id = f.id WHERE e.kind = 'folder'
     )
     SELECT vfs_id, count(*) AS files FROM (
       SELECT f.vfs_id FROM folders f JOIN filebox.entries e ON e.parent_id = f.id WHERE e.kind = 'file'
       UNION ALL
       SELECT f.vfs_id FROM folders f JOIN filebox.uploads u ON u.parent_id = f.id
     ) held GROUP BY vfs_id`,
    { ids: [...ids] },
  );
  return rows;
}
