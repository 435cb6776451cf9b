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
  /** The most records of a batch; default 2000. */
  readonly most?: number | undefined;
}

/** How many numbers are looked at in a statement with a filter, of which only some are read. */
const numbersLookedAt = 16_000;

/**
 * Reads the records from `first` to `last` in batches by their numbers, without a snapshot: PostgreSQL reads the next
 * batch while one is used. With a filter batches can be empty, so that a caller can stop before one has a record.
 */
export async function* readRecordRange(
  db: Queryable,
  { first, last, filter, most = 2_000 }: RangeToRead,
): AsyncGenerator<StoredRecord[], undefined> {
  const found = filter && (await findConditions(db, filter));
  if (filter && !found) return undefined;
  const read = async (from: number): Promise<Batch> => {
    const to = Math.min(last, from + (found ? numbersLookedAt : most) - 1);
    const rows = found
      ? await readMatching(db, found, { from, to, most })
      : await readCopied(db, `${copiedRecordSql} WHERE ${between(from, to)} ORDER BY sequence`);
    const records = rows.map(copiedRecord);
    const end = found && records.length === most ? records.at(-1)?.sequence : to;
    return { records, next: (end ?? to) + 1 };
  };
  let reading = first <= last ? read(first) : undefined;
  while (reading) {
    const { records, next } = await reading;
    reading = next <= last ? read(next) : undefined;
    // If the caller stops, nothing awaits the batch that is being read.
    reading?.catch(() => {});
    if (found || records.length > 0) yield records;
  }
  return undefined;
}

interface Batch {
  readonly records: StoredRecord[];
  /** The number from which the next batch is read. */
  readonly next: number;
}

function between(from: number, to: number): string {
  return `sequence BETWEEN ${BigInt(from)} AND ${BigInt(to)}`;
}

async function readMatching(
  db: Queryable,
  found: FoundConditions,
  { from, to, most }: { from: number; to: number; most: number },
): Promise<CopiedRow[]> {
  const where = whereSql(found);
  // In this order the planner reads the range, not all records of the filter.
  const rows = await select<{ texts: CopiedRow }>(db, {
    bindings: where.bindings,
    text: `${recordTextsSql} WHERE ${between(from, to)} AND ${where.text} ORDER BY sequence LIMIT ${most}`,
  });
  return rows.map(({ texts }) => texts);
}
