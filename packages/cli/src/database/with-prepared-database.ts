import { assertMigrated } from '@waybill/postgres/assert-migrated';
import type { Database } from '@waybill/postgres/database';
import type { Surroundings } from '../command.ts';
import { packageSchemas } from './all-schemas.ts';
import { withDatabase } from './with-database.ts';

/**
 * Runs a function with the database of DATABASE_URL, if it was migrated for this release.
 * @throws CodedError `configuration_invalid` when DATABASE_URL is not set, `database_mismatch`
 */
export async function withPreparedDatabase<R>(
  surroundings: Surroundings,
  use: (db: Database) => Promise<R>,
): Promise<R> {
  return await withDatabase(surroundings, async (db) => {
    await assertMigrated(db, packageSchemas);
    return await use(db);
  });
}
