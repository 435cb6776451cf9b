import type { Database } from '@waybill/postgres/database';
import type { StoredLog } from '../domain/reading/log-reader.ts';
import { readCosignatures } from './knex-anchored-log.ts';
import { createKnexHashSource, readHashRuns } from './knex-hash-source.ts';
import { listKeys, readTreeHead } from './knex-record-log.ts';
import { readArchivedStart } from './read-archived-start.ts';
import { readRecordRange } from './read-records.ts';
import { readWaiting } from './verification/read-waiting.ts';

/** The audit log in PostgreSQL for readers of its tree. */
export function createKnexStoredLog(db: Database): StoredLog {
  return {
    readHead: () => readTreeHead(db),
    listKeys: () => listKeys(db),
    findSequence: async (id) => {
      const { rows } = await db.raw<{ rows: { sequence: string }[] }>(
        'SELECT sequence FROM audit.records WHERE id = CAST(? AS uuid)',
        [id],
      );
      return rows[0] && Number(rows[0].sequence);
    },
    readStart: () => readArchivedStart(db),
    readRecords: (range) => readRecordRange(db, range),
    readHashes: async (run) => (await readHashRuns(db, [run]))[0] ?? [],
    readWaiting: (last) => readWaiting(db, last),
    readCosignatures: () => readCosignatures(db),
    hashes: createKnexHashSource(db),
  };
}
