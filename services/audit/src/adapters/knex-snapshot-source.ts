import type { Database } from '@waybill/postgres/database';
import type { SnapshotSource } from '../domain/verification/verify-log.ts';
import { createKnexHashSource } from './knex-hash-source.ts';
import { listKeys, readTreeHead } from './knex-record-log.ts';
import { readSnapshot } from './read-records.ts';

/**
 * Reads a snapshot of the audit log while it is being written: one read-only transaction with a cursor. Nodes are never
 * changed, so that they are read outside of the snapshot, while the cursor reads ahead.
 */
export function createKnexSnapshotSource(db: Database): SnapshotSource {
  return {
    read: (use, signal) =>
      db.transaction(
        async (trx) => {
          const [head, keys] = [await readTreeHead(trx), await listKeys(trx)];
          return use({ head, keys, records: readSnapshot(trx, signal), hashes: createKnexHashSource(db) });
        },
        { isolationLevel: 'repeatable read', readOnly: true },
      ),
  };
}
