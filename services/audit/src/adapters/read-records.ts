import type { AuditFilter } from '@waybill/contracts/endpoints/audit-logs/audit-filter';
import type { Queryable } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import type { StoredRecord } from '../domain/records/log-record.ts';
import { findConditions, type FoundConditions, select, whereSql } from './listing/found-conditions.ts';
import { storedRecordSql, type StoredRecordRow, toStoredRecord } from './stored-record-row.ts';

/** Records by their numbers, and perhaps by a filter. */
export interface RangeToRead {
  readonly first: number;
  readonly last: number;
  readonly filter?: AuditFilter | undefined;
}

/** How many numbers are looked at in a statement; with a filter only some of them are read. */
const batchSize = 2_000;
const filteredBatchSize = 16_000;

/**
 * Reads the records from `first` to `last` in batches by their numbers, without a snapshot: PostgreSQL reads the next
 * batch while one is used.
 */
export async function* readRecordRange(
  db: Queryable,
  { first, last, filter }: RangeToRead,
): AsyncGenerator<StoredRecord[], undefined> {
  const found = filter && (await findConditions(db, filter));
  if (filter && !found) return undefined;
  const size = found ? filteredBatchSize : batchSize;
  const read = (from: number): Promise<StoredRecordRow[]> => {
    const to = Math.min(last, from + size - 1);
    return found ? readMatching(db, found, from, to) : runPrepared<StoredRecordRow>(db, byNumber, { from, to });
  };
  let next = read(first);
  for (let from = first; from <= last; from += size) {
    const rows = await next;
    if (from + size <= last) {
      next = read(from + size);
      // If the caller stops, nothing awaits the batch that is being read.
      next.catch(() => {});
    }
    if (rows.length > 0) yield rows.map(toStoredRecord);
  }
  return undefined;
}

const byNumber = prepareStatement(
  'audit records by number',
  `${storedRecordSql} WHERE sequence BETWEEN CAST(:from AS bigint) AND CAST(:to AS bigint) ORDER BY sequence`,
);

function readMatching(db: Queryable, found: FoundConditions, from: number, to: number): Promise<StoredRecordRow[]> {
  const where = whereSql(found);
  // In this order the planner reads the range, not all records of the filter.
  return select<StoredRecordRow>(db, {
    bindings: [String(from), String(to), ...where.bindings],
    text: `${storedRecordSql} WHERE sequence BETWEEN CAST(? AS bigint) AND CAST(? AS bigint) AND ${where.text} ORDER BY sequence`,
  });
}
