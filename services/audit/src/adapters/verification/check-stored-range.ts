import type { Database } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import { checkRange } from '../../domain/verification/check-range.ts';
import type { CheckedRange, RecordRange } from '../../domain/verification/log-source.ts';
import type { RecordBefore } from '../../domain/verification/record-check.ts';
import { storedRecordSql, type StoredRecordRow, toStoredRecord } from '../stored-record-row.ts';

/** Reads the records of a range with the one before it, and checks them. */
export async function checkStoredRange(
  db: Database,
  { first, last }: RecordRange,
  start?: RecordBefore,
): Promise<CheckedRange> {
  const [before] = await runPrepared<StoredRecordRow>(db, recordBefore, { first });
  // The first range begins with any record that was put before the first one.
  const rows = await runPrepared<StoredRecordRow>(db, recordsOfRange, {
    above: first === 1 ? -(2 ** 53) : first - 1,
    last,
  });
  const preceding = first === 1 || !before ? start : toStoredRecord(before);
  return checkRange(preceding, rows.map(toStoredRecord));
}

const recordBefore = prepareStatement(
  'audit record before',
  `${storedRecordSql} WHERE sequence < CAST(:first AS bigint) ORDER BY sequence DESC LIMIT 1`,
);

/** All of the range, so that duplicates are seen that the unique index should have prevented. */
const recordsOfRange = prepareStatement(
  'audit records of range',
  `${storedRecordSql} WHERE sequence > CAST(:above AS bigint) AND sequence <= CAST(:last AS bigint) ORDER BY sequence`,
);
