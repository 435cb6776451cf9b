import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import { assertConnectionBudget, type ConnectionNeed } from './assert-connection-budget.ts';
import { assertMigrated } from './assert-migrated.ts';
import type { Database } from './database.ts';
import type { OwnedSchema } from './migrate.ts';
import { assertUnprivileged, type PrivilegeCheck } from './roles/assert-unprivileged.ts';

/** The checks of a service in its database. */
export interface ServiceDatabase {
  readonly db: Database;
  /** The schemas that it uses, which `waybill migrate` updates. Other schemas may be of any release. */
  readonly schemas: readonly OwnedSchema[];
  readonly privilegedUser: PrivilegeCheck['privilegedUser'];
  readonly connections: ConnectionNeed;
  readonly logger: Logger;
}

/**
 * The first step of a service: checks that its database user has few privileges, that the database matches its release,
 * and that there are enough connections.
 * @throws CodedError `database_mismatch`, `configuration_invalid` with a sentence that says what to do
 */
export async function prepareDatabase({
  db,
  schemas,
  privilegedUser,
  connections,
  logger,
}: ServiceDatabase): Promise<void> {
  await assertUnprivileged(db, { privilegedUser, schemas: schemas.map(({ schema }) => schema) });
  await assertMigrated(db, schemas).catch((error: unknown) => explainDenied(error));
  const budget = await assertConnectionBudget(db, connections);
  logger.info(
    budget,
    `up to ${budget.needed} database connections for this service and ${budget.others} for others, of ${budget.available}`,
  );
}

/** The role was added to the table of grants later, or belongs to another service. */
function explainDenied(error: unknown): never {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '42501') throw error;
  throw new CodedError('database_mismatch', {
    detail:
      `the user of DATABASE_URL may not use the schemas of this service (${error.message.replace(/^.* - /su, '')}): connect as the ` +
      "service's own role, and run `waybill migrate`, which grants the privileges",
    cause: error,
  });
}
