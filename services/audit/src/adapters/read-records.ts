import type { Queryable } from '@waybill/postgres/database';
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
