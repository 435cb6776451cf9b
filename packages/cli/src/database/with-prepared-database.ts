import { assertMigrated } from '@waybill/postgres/assert-migrated';
import type { Database } from '@waybill/postgres/database';
import type { Surroundings } from '../command.ts';
import { packageSchemas } from './all-schemas.ts';
import { type InsteadOfDatabase, withDatabase } from './with-database.ts';

/**
 * Runs a function with the database of DATABASE_URL, if it was migrated for this release.
 * @throws CommandFailed when DATABASE_URL is not set; CodedError `database_mismatch`
 */
export async function withPreparedDatabase<R>(
  surroundings: Surroundings,
  use: (db: Database) => Promise<R>,
  otherwise: InsteadOfDatabase = {},
): Promise<R> {
  const useMigrated = async (db: Database): Promise<R> => {
    await assertMigrated(db, packageSchemas);
    return await use(db);
  };
  return await withDatabase(surroundings, useMigrated, otherwise);
}
