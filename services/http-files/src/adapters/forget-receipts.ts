import type { Database } from '@waybill/postgres/database';

const batch = 1_000;

/**
 * Deletes the receipts that are older than this many days, and returns their number. They are in the order of their
 * filesets, so that the oldest are found without reading the others.
 */
export async function forgetReceipts(
  db: Database,
  { keptDays, signal }: { keptDays: number; signal: AbortSignal },
): Promise<number> {
  let total = 0;
  for (let forgotten = batch; forgotten === batch && !signal.aborted; total += forgotten) {
    const { rowCount } = await db.raw<{ rowCount: number }>(
      `DELETE FROM http_files.receipts r
       WHERE fileset IN (SELECT fileset FROM http_files.receipts ORDER BY fileset LIMIT ? FOR UPDATE SKIP LOCKED)
         AND stored_at < now() - make_interval(days => CAST(? AS integer))
         AND NOT EXISTS (SELECT FROM http_files.idempotency_keys k WHERE k.fileset = r.fileset)
         AND NOT EXISTS (SELECT FROM http_files.resumable_uploads u WHERE u.fileset = r.fileset)`,
      [batch, keptDays],
    );
    forgotten = rowCount;
  }
  return total;
}
