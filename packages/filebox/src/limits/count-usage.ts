import type { Database, Queryable } from '@waybill/postgres/database';
import { readUsage } from './read-usage.ts';

/** What a VFS holds or may hold. */
export interface StoredAmounts<Amount> {
  readonly bytes: Amount;
  readonly files: Amount;
  readonly folders: Amount;
}

/** The usage of a VFS with its limits; without `used`, there is too much to count. */
export interface CountedUsage {
  readonly used: StoredAmounts<number> | undefined;
  readonly limits: StoredAmounts<number | undefined>;
}

const noLimits = { bytes: undefined, files: undefined, folders: undefined };

/**
 * Reads the usage of a VFS. With limits it is known, with what uploads have reserved. Without, its entries are counted, which is
 * given up after `timeoutMs`.
 */
export async function countUsage(db: Database, vfsId: string, timeoutMs: number): Promise<CountedUsage> {
  const known = await readUsage(db, vfsId);
  if (known === undefined) return { used: await countEntries(db, vfsId, timeoutMs), limits: noLimits };
  const limitOf = (most: string | null): number | undefined => (most === null ? undefined : Number(most));
  return {
    used: amountsOf(known),
    limits: {
      bytes: limitOf(known.max_bytes),
      files: limitOf(known.max_files),
      folders: limitOf(known.max_folders),
    },
  };
}

function amountsOf({ bytes, files, folders }: StoredAmounts<string>): StoredAmounts<number> {
  return { bytes: Number(bytes), files: Number(files), folders: Number(folders) };
}

const countSql = `
  WITH RECURSIVE folders AS (
    SELECT id FROM filebox.entries WHERE vfs_id = :vfsId AND parent_id IS NULL
    UNION ALL
    SELECT e.id FROM filebox.entries e JOIN folders f ON e.parent_id = f.id WHERE e.kind = 'folder'
  )
  SELECT COALESCE(sum(e.size), 0) AS bytes, count(*) FILTER (WHERE e.kind = 'file') AS files,
    count(*) FILTER (WHERE e.kind = 'folder') AS folders
  FROM folders f JOIN filebox.entries e ON e.parent_id = f.id`;

async function countEntries(
  db: Database,
  vfsId: string,
  timeoutMs: number,
): Promise<StoredAmounts<number> | undefined> {
  try {
    return await db.transaction(async (trx) => {
      await trx.raw("SELECT set_config('statement_timeout', ?, true)", [String(timeoutMs)]);
      return await countIn(trx, vfsId);
    });
  } catch (error) {
    if (isTimeout(error)) return undefined;
    throw error;
  }
}

async function countIn(on: Queryable, vfsId: string): Promise<StoredAmounts<number>> {
  const { rows } = await on.raw<{ rows: StoredAmounts<string>[] }>(countSql, { vfsId });
  const [counted] = rows;
  return amountsOf(counted ?? { bytes: '0', files: '0', folders: '0' });
}

/** PostgreSQL has cancelled the statement: `query_canceled`. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '57014';
}
