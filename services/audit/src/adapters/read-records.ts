import type { AuditFilter } from '@waybill/contracts/endpoints/audit-logs/audit-filter';
import type { Queryable } from '@waybill/postgres/database';
import { type CopiedRow, readCopied } from '@waybill/postgres/read-copied';
import type { StoredRecord } from '../domain/records/log-record.ts';
import { copiedRecord, copiedRecordSql, recordTextsSql } from './copied-record.ts';
import { findConditions, type FoundConditions, select, whereSql } from './listing/found-conditions.ts';

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
  const read = (from: number): Promise<CopiedRow[]> => {
    const to = Math.min(last, from + size - 1);
    return found ? readMatching(db, found, from, to) : readCopied(db, numbered(from, to));
  };
  let next = read(first);
  for (let from = first; from <= last; from += size) {
    const rows = await next;
    if (from + size <= last) {
      next = read(from + size);
      // If the caller stops, nothing awaits the batch that is being read.
      next.catch(() => {});
    }
    if (rows.length > 0) yield rows.map(copiedRecord);
  }
  return undefined;
}

function numbered(first: number, last: number): string {
  return `${copiedRecordSql} WHERE sequence BETWEEN ${BigInt(first)} AND ${BigInt(last)} ORDER BY sequence`;
}

async function readMatching(db: Queryable, found: FoundConditions, from: number, to: number): Promise<CopiedRow[]> {
  const where = whereSql(found);
  // In this order the planner reads the range, not all records of the filter.
  const rows = await select<{ texts: CopiedRow }>(db, {
    bindings: [String(from), String(to), ...where.bindings],
    text: `${recordTextsSql} WHERE sequence BETWEEN CAST(? AS bigint) AND CAST(? AS bigint) AND ${where.text} ORDER BY sequence`,
  });
  return rows.map(({ texts }) => texts);
}
