import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Database, Transaction } from '@waybill/postgres/database';
import type { LogReader } from '../domain/reading/log-reader.ts';
import { ProducerLedger, type ProducerNumbers } from '../domain/records/producer-numbers.ts';
import type { ArchiveStore, DueRecords } from '../domain/retention/archive-records.ts';
import { writeArchiveFile } from './archive-file.ts';
import { createKnexRecordLog } from './knex-record-log.ts';
import { readArchivedStart } from './read-archived-start.ts';
import { readRecordRange } from './read-records.ts';

const tile = 256;

/** Archives in a folder, of records in PostgreSQL. The function `audit.drop_archived` deletes archived records only. */
export function createKnexArchives(parts: { db: Database; reader: LogReader; folder: string }): ArchiveStore {
  const { db, reader, folder } = parts;
  return {
    findDue: (until, limit) => findDue(db, until, limit),
    write: async (range) =>
      writeArchiveFile(folder, range, {
        lines: reader.archive(range),
        keys: (await reader.keys()).map(({ key }) => key),
      }),
    remove: ({ name }) => rm(path.join(folder, name), { force: true }),
    drop: (due, { name, hash }, use) =>
      db.transaction(async (trx) => {
        const { first, last, lastId, lastChainHash } = due;
        const producers = JSON.stringify(await producersUpTo(trx, due));
        await trx.raw(
          `INSERT INTO audit.archives (first_sequence, last_sequence, last_id, last_chain_hash, file, hash, producers)
           VALUES (:first, :last, :lastId, :lastChainHash, :name, :hash, nullif(CAST(:producers AS jsonb), 'null'))`,
          { first, last, lastId, lastChainHash, name, hash, producers },
        );
        await trx.raw('SELECT audit.drop_archived(:last, :erased)', { last: due.last, erased: due.erased });
        return use(createKnexRecordLog(trx));
      }),
  };
}

/** The numbers of producers in all archives and these records; `null` if those of an earlier archive are unknown. */
async function producersUpTo(trx: Transaction, { first, last }: DueRecords): Promise<ProducerNumbers[] | null> {
  const start = await readArchivedStart(trx);
  if (start?.producers === null) return null;
  const ledger = new ProducerLedger();
  ledger.takeAll(start?.producers ?? []);
  for await (const records of readRecordRange(trx, { first, last })) for (const record of records) ledger.take(record);
  return ledger.numbers();
}

/** Whole tiles only, and never the last record. */
async function findDue(db: Database, until: Date, limit: number): Promise<DueRecords | undefined> {
  const { rows } = await db.raw<{ rows: { first: string | null; end: string | null; held: string | null }[] }>(
    `WITH bounds AS (SELECT min(sequence) AS first, max(sequence) AS last FROM audit.records),
       young AS (
         SELECT min(r.sequence) AS sequence FROM bounds, audit.records r
         WHERE r.sequence BETWEEN first AND first + :limit - 1 AND coalesce(r.recorded_at, r.audit_time) >= :until)
     SELECT first, least(first + :limit, last, young.sequence) - 1 AS end,
       audit.first_held(first, least(first + :limit, last, young.sequence) - 1) AS held
     FROM bounds, young`,
    { until, limit },
  );
  const [row] = rows;
  if (!row || row.first === null) return undefined;
  const first = Number(row.first);
  const end = row.held === null ? Number(row.end) : Number(row.held) - 1;
  const last = end - (end % tile);
  if (last < first) return undefined;
  const { rows: ends } = await db.raw<{ rows: Omit<DueRecords, 'first' | 'last'>[] }>(
    `SELECT id AS "lastId", CASE WHEN previous_hash IS NOT NULL THEN encode(hash, 'hex') END AS "lastChainHash",
       audit.erased_in(:first, :last) AS erased
     FROM audit.records WHERE sequence = :last`,
    { first, last },
  );
  return ends[0] && { first, last, ...ends[0] };
}
