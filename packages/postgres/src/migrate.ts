import type { Database, Transaction } from './database.ts';
import { refuseNewer } from './refuse-newer.ts';

/** One step of a schema's history. Its name never changes and it is never edited once released. */
export interface Migration {
  /** Sorts by time: `0001_entries`. */
  name: string;
  up(transaction: Transaction): Promise<void>;
}

/** A PostgreSQL schema and its migrations. One package or service owns it. */
export interface OwnedSchema {
  schema: string;
  migrations: readonly Migration[];
}

/** The role of a migration. */
export interface MigrateOptions {
  /** The role that owns the created objects; the user of the connection if absent. */
  readonly owner?: string;
}

/**
 * Migrates a schema in one transaction and returns the names of the applied migrations. Many processes may run it
 * at once: it is serialized by a lock. @throws CodedError `database_mismatch` if a newer release has migrated the
 * schema; nothing is changed then
 */
export async function migrate(
  db: Database,
  { schema, migrations }: OwnedSchema,
  { owner }: MigrateOptions = {},
): Promise<string[]> {
  return db.transaction(async (trx) => {
    if (owner !== undefined) await trx.raw('SET LOCAL ROLE ??', [owner]);
    await trx.raw('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [lockOfSchema(schema)]);
    await trx.raw('CREATE SCHEMA IF NOT EXISTS ??', [schema]);
    await trx.raw(
      'CREATE TABLE IF NOT EXISTS ??.migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
      [schema],
    );
    const applied = await trx.withSchema(schema).from('migrations').orderBy('name').pluck<string[]>('name');
    const known = new Set(migrations.map(({ name }) => name));
    refuseNewer(applied.filter((name) => !known.has(name)).map((name) => `${schema}.${name}`));
    const missing = migrations.filter(({ name }) => !applied.includes(name));
    for (const { name, up } of missing) {
      await up(trx);
      await trx.withSchema(schema).insert({ name }).into('migrations');
    }
    return missing.map(({ name }) => name);
  });
}

/** The key of the advisory lock that a migration of this schema holds. */
export function lockOfSchema(schema: string): string {
  return `waybill migrate ${schema}`;
}
