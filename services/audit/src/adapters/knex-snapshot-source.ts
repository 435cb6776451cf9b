import type { Database } from '@waybill/postgres/database';
import type { ChainedRecord } from '../domain/chain/chained-record.ts';
import type { Digest } from '../domain/digests/digest.ts';
import type { SnapshotSource } from '../domain/verification/verify-chain.ts';
import { chainedRecordSql, toChainedRecord, type ChainedRecordRow } from './chained-record-row.ts';
import { createCursorOpener } from './cursor-opener.ts';
import { digestSql, toDigest, type DigestRow } from './digest-row.ts';
import { readHead } from './read-head.ts';

/**
 * Reads a snapshot of the audit log while it is being written: one read-only transaction with cursors. Unlike pages
 * by key, a cursor also shows duplicates that a unique index should have prevented.
 */
export function createKnexSnapshotSource(db: Database): SnapshotSource {
  return {
    read: (use, signal) =>
      db.transaction(
        async (trx) => {
          const head = await readHead(trx);
          const open = createCursorOpener();
          const cursor = { trx, signal };
          const records = open<ChainedRecordRow>({
            ...cursor,
            name: 'records',
            sql: `${chainedRecordSql} ORDER BY 1`,
            batchSize: 2_000,
          });
          const digests = open<DigestRow>({
            ...cursor,
            name: 'digests',
            sql: `${digestSql} ORDER BY 1`,
            batchSize: 200,
          });
          return use({ head, records: toRecords(records), digests: toDigests(digests) });
        },
        { isolationLevel: 'repeatable read', readOnly: true },
      ),
  };
}

async function* toRecords(batches: AsyncIterable<ChainedRecordRow[]>): AsyncGenerator<ChainedRecord[], undefined> {
  for await (const rows of batches) yield rows.map(toChainedRecord);
  return undefined;
}

async function* toDigests(batches: AsyncIterable<DigestRow[]>): AsyncGenerator<Digest, undefined> {
  for await (const rows of batches) yield* rows.map(toDigest);
  return undefined;
}
