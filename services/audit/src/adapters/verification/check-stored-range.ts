import type { Database } from '@waybill/postgres/database';
import { readCopied } from '@waybill/postgres/read-copied';
import { checkRange } from '../../domain/verification/check-range.ts';
import type { CheckedRange, RecordRange } from '../../domain/verification/log-source.ts';
import type { RecordBefore } from '../../domain/verification/record-check.ts';
import { copiedRecord, copiedRecordSql } from '../copied-record.ts';

/** Reads the records of a range with the one before it, and checks them. */
export async function checkStoredRange(
  db: Database,
  { first, last }: RecordRange,
  start?: RecordBefore,
): Promise<CheckedRange> {
  const [before] = await readCopied(db, recordBefore(first));
  // The first range begins with any record that was put before the first one.
  const rows = await readCopied(db, recordsOfRange(first === 1 ? -(2 ** 53) : first - 1, last));
  const preceding = first === 1 || !before ? start : copiedRecord(before);
  return checkRange(preceding, rows.map(copiedRecord));
}

function recordBefore(first: number): string {
  return `${copiedRecordSql} WHERE sequence < ${BigInt(first)} ORDER BY sequence DESC LIMIT 1`;
}

/** All of the range, so that duplicates are seen that the unique index should have prevented. */
function recordsOfRange(above: number, last: number): string {
  return `${copiedRecordSql} WHERE sequence > ${BigInt(above)} AND sequence <= ${BigInt(last)} ORDER BY sequence`;
}
