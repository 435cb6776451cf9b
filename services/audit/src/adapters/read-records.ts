import type { Queryable, Transaction } from '@waybill/postgres/database';
import type { StoredRecord } from '../domain/records/log-record.ts';
import { storedRecordSql, toStoredRecord, type StoredRecordRow } from './stored-record-row.ts';

const batchSize = 2_000;

/** Reads the records from `first` to `last` in batches by their numbers, without a snapshot. */
export async function* readRecordRange(
  db: Queryable,
  { first, last }: { readonly first: number; readonly last: number },
): AsyncGenerator<StoredRecord[], undefined> {
  for (let after = first - 1; ;) {
    const { rows } = await db.raw<{ rows: StoredRecordRow[] }>(
      `${storedRecordSql} WHERE sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ${batchSize}`,
      [after, last],
    );
    const records = rows.map(toStoredRecord);
    const end = records.at(-1);
    if (!end) return undefined;
    yield records;
    after = end.sequence;
  }
}

/**
 * Reads all records in order, in batches: while one is used, PostgreSQL prepares the next one. Unlike pages by number,
 * the cursor also shows duplicates that a unique index should have prevented. Rejects when `signal` fires.
 */
export async function* readSnapshot(trx: Transaction, signal: AbortSignal): AsyncGenerator<StoredRecord[], undefined> {
  const fetch = async () => trx.raw<{ rows: StoredRecordRow[] }>(`FETCH ${batchSize} FROM audit_records`);
  await trx.raw(`DECLARE audit_records NO SCROLL CURSOR FOR ${storedRecordSql} ORDER BY 1`);
  for (let next = fetch(); ;) {
    const { rows } = await next;
    signal.throwIfAborted();
    if (rows.length === 0) return undefined;
    next = fetch();
    // If the caller stops, nothing awaits the batch that is being read.
    next.catch(() => {});
    yield rows.map(toStoredRecord);
  }
}
