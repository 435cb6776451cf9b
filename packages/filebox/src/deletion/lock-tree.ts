import type { Transaction } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';

/** The place of a tree. */
export interface TreePlace {
  vfsId: string;
  /** From the root of the VFS down. */
  names: readonly string[];
}

/** The top of a tree. */
export interface TreeTop {
  id: string;
  kind: 'folder' | 'file';
  /** The folder that holds it. */
  parentId: string;
}

/**
 * Locks the entry at a path, and every folder below it, so that nothing can be added there until the transaction ends.
 * No folder of the VFS can be moved meanwhile: see `lock-places`. Returns the entry at the path; undefined if there is
 * none.
 */
export async function lockTree(trx: Transaction, { vfsId, names }: TreePlace): Promise<TreeTop | undefined> {
  await trx.raw('SELECT FROM filebox.entries WHERE vfs_id = ? AND parent_id IS NULL FOR NO KEY UPDATE', [vfsId]);
  // A folder may have been created in another one before that one was locked: repeat until no new one is found.
  for (let known = 0; ;) {
    const [locked] = await runPrepared<Locked>(trx, lockStatement, { vfsId, names });
    if (!locked) return undefined;
    const count = Number(locked.count);
    if (count === known || locked.kind === 'file')
      return { id: locked.id, kind: locked.kind, parentId: locked.parent_id };
    known = count;
  }
}

interface Locked {
  count: string;
  id: string;
  kind: 'folder' | 'file';
  parent_id: string;
}

/**
 * Locking a row twice costs one lookup; each execution sees what was committed before it. `OFFSET 0` makes PostgreSQL
 * find folders through their parents, whatever its row estimates; they are locked in the order of ids.
 */
const lockStatement = prepareStatement(
  'filebox lock tree',
  `WITH RECURSIVE tree AS (
     SELECT filebox.entry_at(:vfsId, CAST(:names AS text[])) AS id
     UNION ALL
     SELECT below.id FROM tree t CROSS JOIN LATERAL (
       SELECT id FROM filebox.entries WHERE parent_id = t.id AND kind = 'folder' AND put_at IS NULL OFFSET 0
     ) AS below
   ), locked AS (
     SELECT entry.* FROM (SELECT id FROM tree ORDER BY id) AS t CROSS JOIN LATERAL (
       SELECT id, parent_id, kind FROM filebox.entries WHERE id = t.id FOR UPDATE
     ) AS entry
   )
   SELECT (SELECT count(*) FROM locked) AS count, id, kind, parent_id FROM locked WHERE id = (SELECT id FROM tree LIMIT 1)`,
);
