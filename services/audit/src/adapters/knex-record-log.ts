import type { Transaction } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import type { RecordLog } from '../domain/log/record-log.ts';
import { digestSql, toDigest, type DigestRow, insertDigest } from './digest-row.ts';
import { insertRecords } from './insert-records.ts';
import { lockHead } from './read-head.ts';
import { saveHead } from './save-head.ts';

/** The audit log for its writer. The lock and all changes belong to the transaction. */
export function createKnexRecordLog(trx: Transaction): RecordLog {
  return {
    lockHead: () => lockHead(trx),
    isEmpty: async () => {
      const { rows } = await trx.raw<{ rows: { empty: boolean }[] }>(
        'SELECT NOT EXISTS (SELECT FROM audit.records) AND NOT EXISTS (SELECT FROM audit.digests) AS empty',
      );
      return rows[0]?.empty === true;
    },
    findRecorded: async (ids) => {
      const rows = await runPrepared<{ id: string }>(trx, findRecorded, { ids });
      return new Set(rows.map(({ id }) => id));
    },
    append: (records) => insertRecords(trx, records),
    findDigest: async (number) => {
      const { rows } = await trx.raw<{ rows: DigestRow[] }>(`${digestSql} WHERE number = ?`, [number]);
      return rows[0] && toDigest(rows[0]);
    },
    readHashes: async (first, last) => {
      const { rows } = await trx.raw<{ rows: { hash: string }[] }>(
        "SELECT encode(hash, 'hex') AS hash FROM audit.records WHERE sequence BETWEEN ? AND ? ORDER BY sequence",
        [first, last],
      );
      return rows.map(({ hash }) => hash);
    },
    appendDigest: (digest) => insertDigest(trx, digest),
    saveHead: (head) => saveHead(trx, head),
  };
}

const findRecorded = prepareStatement(
  'audit find recorded',
  'SELECT id FROM audit.records WHERE id = ANY (CAST(:ids AS uuid[]))',
);
