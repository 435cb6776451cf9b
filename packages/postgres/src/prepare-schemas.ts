import { assertMigrated } from './assert-migrated.ts';
import type { Database } from './database.ts';
import { migrate, type OwnedSchema } from './migrate.ts';

/** What a service has to do with of a database. */
export interface ServiceSchemas {
  /** The service's own. */
  readonly own: OwnedSchema;
  /** Those of the packages that the service is made of; `waybill migrate` brings them up to date. */
  readonly used: readonly OwnedSchema[];
}

/**
 * What a service does before it touches anything: sees that the database fits its release, and brings its own schema up to
 * date. A schema that the service has nothing to do with may be of any release.
 * @throws CodedError `database_mismatch` with a sentence that says what to do
 */
export async function prepareSchemas(db: Database, { own, used }: ServiceSchemas): Promise<void> {
  await assertMigrated(db, used);
  await migrate(db, own);
}
