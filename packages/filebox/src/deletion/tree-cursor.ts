import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Transaction } from '@waybill/postgres/database';
import type { TreePlace } from './lock-tree.ts';

/** A folder of a tree, and its place. */
export interface PlacedFolder {
  id: string;
  path: VirtualPath;
  /** The number of files in it. */
  files: number;
}

/** The folders of a locked tree, read in batches: however many there are, they stay in the database. */
export interface TreeCursor {
  /** From the top down, each folder after its parent. */
  downwards(): AsyncGenerator<PlacedFolder[]>;
  /** Back from where `downwards` ended: each folder before its parent, the top last. */
  upwards(): AsyncGenerator<PlacedFolder[]>;
}

/** The number of folders in a batch. */
const foldersAtOnce = 500;

/**
 * Opens the one cursor that a transaction may have. `path` is that of the tree, with the spelling of its stored names.
 */
export async function openTreeCursor(
  trx: Transaction,
  { vfsId, names, path }: TreePlace & { path: VirtualPath },
): Promise<TreeCursor> {
  await trx.raw(
    `DECLARE waybill_tree SCROLL CURSOR FOR
     WITH RECURSIVE tree AS (
       SELECT filebox.entry_at(:vfsId, CAST(:names AS text[])) AS id, CAST(:path AS text) COLLATE "C" AS path, 0 AS depth
       UNION ALL
       SELECT below.id, t.path || '/' || below.name, t.depth + 1 FROM tree t CROSS JOIN LATERAL (
         SELECT id, name FROM filebox.entries WHERE parent_id = t.id AND kind = 'folder' AND put_at IS NULL OFFSET 0
       ) AS below
     )
     SELECT id, path, (SELECT sum(files) FROM filebox.folder_counts WHERE folder_id = tree.id) AS files
     FROM tree ORDER BY depth, id`,
    { vfsId, names, path },
  );
  async function* fetch(direction: 'FORWARD' | 'BACKWARD'): AsyncGenerator<PlacedFolder[]> {
    for (;;) {
      const { rows } = await trx.raw<{ rows: (Pick<PlacedFolder, 'id' | 'path'> & { files: string | null })[] }>(
        `FETCH ${direction} ${foldersAtOnce} FROM waybill_tree`,
      );
      if (rows.length === 0) return;
      yield rows.map(({ id, path: at, files }) => ({ id, path: at, files: Number(files) }));
    }
  }
  return { downwards: () => fetch('FORWARD'), upwards: () => fetch('BACKWARD') };
}
