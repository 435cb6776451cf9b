import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { createRecordRig } from './record-rig.ts';

/** A database of records whose reads are counted. */
export interface CountedReads extends AsyncDisposable {
  readonly db: Database;
  /** Makes a kind of records known, which may be known already. */
  addKind(code: string, operation: string): Promise<void>;
  /** The blocks of the table and of its indexes that were read so far, from the disk or from memory. */
  blocks(): Promise<number>;
  /** The rows that were read so far. */
  rows(): Promise<number>;
}

/** Opens a database without records. */
export async function openCountedReads(): Promise<CountedReads> {
  const rig = await createRecordRig();
  // One connection, whose counters are complete after each statement: those of an idle one follow some seconds later.
  const db = connectPostgres({ url: rig.databaseUrl, applicationName: 'audit test', poolSize: 1 });
  // The blocks that a vacuum reads at any time would be counted, too.
  await db.raw('ALTER TABLE audit.records SET (autovacuum_enabled = false)');
  const statistic = async (sum: string, view: string): Promise<number> => {
    await db.raw('SELECT pg_stat_force_next_flush()');
    const text = `SELECT ${sum} AS sum FROM ${view} WHERE relid = 'audit.records'::regclass`;
    const { rows } = await db.raw<{ rows: { sum: string }[] }>(text);
    return Number(rows[0]?.sum);
  };
  return {
    db,
    addKind: async (code, operation) => {
      await db.raw(
        'INSERT INTO audit.kinds SELECT audit.kind_of(c, m, a, o, e), c, m, a, o, e FROM (VALUES (?, ?, ?, ?, ?)) AS kind (c, m, a, o, e) ON CONFLICT DO NOTHING',
        ['ENGINE', 'manager1 AUDIT', code, operation, 'File'],
      );
    },
    blocks: () => statistic('heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit', 'pg_statio_user_tables'),
    rows: () => statistic('seq_tup_read + idx_tup_fetch', 'pg_stat_user_tables'),
    [Symbol.asyncDispose]: async () => {
      await db.destroy();
      await rig[Symbol.asyncDispose]();
    },
  };
}
