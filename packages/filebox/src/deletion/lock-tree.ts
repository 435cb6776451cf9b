import type { Transaction } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';

/** Where a tree is. */
export interface TreePlace {
  vfsId: string;
  /** From the root of the VFS down. */
  names: readonly string[];
}

/** What is at the top of a tree. */
export interface TreeTop {
  kind: 'folder' | 'file';
  /** The folder that holds it. */
  parentId: string;
}

/**
 * Locks what is at a path, and every folder below it, so that nothing can be put there any more until the transaction
 * ends. No folder of the VFS changes its place meanwhile: see `lock-places`. Answers what is at the path; undefined when
 * there is nothing.
 */
export async function lockTree(trx: Transaction, { vfsId, names }: TreePlace): Promise<TreeTop | undefined> {
  await trx.raw('SELECT FROM filebox.entries WHERE vfs_id = ? AND parent_id IS NULL FOR NO KEY UPDATE', [vfsId]);
  // A folder may have been made in another one before that was locked: look until there is none that is new.
  for (let known = 0; ;) {
    const [locked] = await runPrepared<Locked>(trx, lockStatement, { vfsId, names });
    if (!locked) return undefined;
    const count = Number(locked.count);
    if (count === known || locked.kind === 'file') return { kind: locked.kind, parentId: locked.parent_id };
    known = count;
  }
}

interface Locked {
  count: string;
  kind: 'folder' | 'file';
  parent_id: string;
}

/**
 * What is locked twice costs a look; a statement of its own sees what others did before the one before it. `OFFSET 0` has
 * folders found by those above them, whatever PostgreSQL believes of their numbers; they are locked in the order of ids.
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
   SELECT (SELECT count(*) FROM locked) AS count, kind, parent_id FROM locked WHERE id = (SELECT id FROM tree LIMIT 1)`,
);
