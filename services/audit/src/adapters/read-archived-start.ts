import type { Queryable } from '@waybill/postgres/database';
import type { ProducerNumbers } from '../domain/records/producer-numbers.ts';
import type { ArchivedStart } from '../domain/retention/archive-lines.ts';
import { createKnexHashSource } from './knex-hash-source.ts';

interface ArchiveRow {
  readonly size: string;
  readonly lastId: string;
  readonly lastChainHash: string | null;
  readonly producers: ProducerNumbers[] | null;
}

/** What the log was before the first stored record; `undefined` if none was archived, or if its nodes are missing. */
export async function readArchivedStart(db: Queryable): Promise<ArchivedStart | undefined> {
  const { rows } = await db.raw<{ rows: ArchiveRow[] }>(
    `SELECT last_sequence AS size, last_id AS "lastId", last_chain_hash AS "lastChainHash", producers
     FROM audit.archives ORDER BY last_sequence DESC LIMIT 1`,
  );
  const [row] = rows;
  if (!row) return undefined;
  const { lastId, lastChainHash, producers } = row;
  const size = Number(row.size);
  const nodes = await createKnexHashSource(db)
    .read(perfectSubtreesOf(size))
    .catch(() => undefined);
  return nodes && { range: { size, nodes }, lastId, lastChainHash, producers };
}

function perfectSubtreesOf(size: number): { level: number; number: number }[] {
  const places: { level: number; number: number }[] = [];
  for (let first = 0; first < size;) {
    const level = Math.floor(Math.log2(size - first));
    places.push({ level, number: first / 2 ** level });
    first += 2 ** level;
  }
  return places;
}
