import type { Database } from '@waybill/postgres/database';
import type { CheckedRange, LogSource, RecordRange } from '../../domain/verification/log-source.ts';
import { createKnexHashSource } from '../knex-hash-source.ts';
import { listKeys, readTreeHead } from '../knex-record-log.ts';
import { readArchivedStart } from '../read-archived-start.ts';
import { checkStoredRange } from './check-stored-range.ts';
import { readWaiting } from './read-waiting.ts';

/** Checks ranges of records; `signal` ends it. */
export type RangeChecker = LogSource['checkRanges'];

/** Reads the audit log for a verification: ranges by number, in statements of their own. */
export function createKnexLogSource(db: Database, checkRanges: RangeChecker = checkRangesHere(db)): LogSource {
  return {
    readHead: () => readTreeHead(db),
    readStart: () => readArchivedStart(db),
    listKeys: () => listKeys(db),
    readEnd: async () => {
      // One statement, so that both are of one moment.
      const { rows } = await db.raw<{ rows: { last: string | null; size: string | null }[] }>(
        'SELECT (SELECT max(sequence) FROM audit.records) AS last, (SELECT size FROM audit.tree_head) AS size',
      );
      return { lastSequence: Number(rows[0]?.last ?? 0), size: Number(rows[0]?.size ?? 0) };
    },
    checkRanges,
    readWaiting: (last) => readWaiting(db, last),
    hashes: createKnexHashSource(db),
  };
}

/** Checks one range after the other in this thread. */
export function checkRangesHere(db: Database): RangeChecker {
  return async function* check(ranges: readonly RecordRange[], signal, start): AsyncGenerator<CheckedRange> {
    for (const range of ranges) {
      signal.throwIfAborted();
      yield await checkStoredRange(db, range, start);
    }
  };
}
