import type { Database } from '@waybill/postgres/database';
import { keptUntilSql } from '../unfinished/upload-rows.ts';

const batch = 200;

/**
 * Discards the uploads that have been suspended for a day, whose keep time has ended, or whose folder was deleted, and
 * returns their number. A held upload renews its lease.
 */
export async function sweepUploads({ db, signal }: { db: Database; signal: AbortSignal }): Promise<number> {
  let total = 0;
  for (let swept = batch; swept === batch && !signal.aborted; total += swept) {
    const { rowCount } = await db.raw<{ rowCount: number }>(
      `WITH expired AS (
         SELECT blob_id FROM filebox.uploads u
         WHERE lease_until < now() AND (
           ${keptUntilSql} < now()
           OR NOT EXISTS (SELECT FROM filebox.entries e WHERE e.id = u.parent_id)
         )
         LIMIT ? FOR UPDATE SKIP LOCKED
       ), gone AS (
         DELETE FROM filebox.uploads u USING expired a WHERE u.blob_id = a.blob_id
         RETURNING u.blob_id, u.storage_class
       )
       INSERT INTO filebox.blob_removals (blob_id, storage_class) SELECT blob_id, storage_class FROM gone`,
      [batch],
    );
    swept = rowCount;
  }
  return total;
}
