import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Database, Transaction } from './database.ts';
import { lockOfSchema, type OwnedSchema } from './migrate.ts';
import { refuseNewer } from './refuse-newer.ts';

/**
 * Checks that schemas that `waybill migrate` migrates have the version of this release, neither older nor newer.
 * Waits for a migration in progress. @throws CodedError `database_mismatch` with a sentence that says what to do
 */
export async function assertMigrated(db: Database, schemas: readonly OwnedSchema[]): Promise<void> {
  const missing: string[] = [];
  const unknown: string[] = [];
  await db.transaction(async (trx) => {
    for (const { schema, migrations } of schemas) {
      const known = migrations.map(({ name }) => name);
      const applied = await appliedIn(trx, schema);
      const whole = (name: string) => `${schema}.${name}`;
      missing.push(...known.filter((name) => !applied.includes(name)).map(whole));
      unknown.push(...applied.filter((name) => !known.includes(name)).map(whole));
    }
  });
  refuseNewer(unknown);
  if (missing.length === 0) return;
  const all = schemas.flatMap(({ migrations }) => migrations);
  const detail =
    missing.length === all.length
      ? 'the database has not been prepared: run `waybill migrate` first'
      : `the database is older than this release: run \`waybill migrate\` first, which applies ${missing.join(', ')}`;
  throw new CodedError('database_mismatch', { detail });
}

async function appliedIn(trx: Transaction, schema: string): Promise<string[]> {
  await trx.raw('SELECT pg_advisory_xact_lock_shared(hashtextextended(?, 0))', [lockOfSchema(schema)]);
  const table: { rows: { there: boolean }[] } = await trx.raw('SELECT to_regclass(?) IS NOT NULL AS there', [
    `${schema}.migrations`,
  ]);
  if (table.rows[0]?.there !== true) return [];
  return await trx.withSchema(schema).from('migrations').orderBy('name').pluck<string[]>('name');
}
