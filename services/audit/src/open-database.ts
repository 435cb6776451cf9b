import { accessSchema } from '@waybill/access/access-schema';
import { directorySchema } from '@waybill/directory/directory-schema';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import { connectionsOf } from '@waybill/postgres/assert-connection-budget';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { prepareDatabase } from '@waybill/postgres/prepare-database';
import { databaseUrlOf } from '@waybill/service-kit/config/database-config';
import type { ServiceContext } from '@waybill/service-kit/run-service';
import { checkThreads } from './adapters/verification/check-in-threads.ts';
import { auditSchema } from './audit-schema.ts';
import type { Config } from './config.ts';

/** Connects to PostgreSQL, and checks the migrations, the role and the number of connections. */
export async function openDatabase({ config, health, logger, resources }: ServiceContext<Config>): Promise<Database> {
  const connections = { poolSize: config.DATABASE_POOL_SIZE, processes: 1, listeners: checkThreads };
  const db = connectPostgres({
    url: databaseUrlOf(config),
    applicationName: 'waybill audit',
    poolSize: config.DATABASE_POOL_SIZE,
    declaredConnections: connectionsOf(connections),
  });
  resources.defer(() => db.destroy());
  const privilegedUser = config.DATABASE_PRIVILEGED_USER;
  await prepareDatabase({
    db,
    schemas: [auditSchema, accessSchema, directorySchema, outboxSchema],
    privilegedUser,
    connections,
    logger,
  });
  // Records can be read without Redis, so Redis does not affect readiness.
  health.addCheck('postgres', () => db.raw('SELECT 1'));
  return db;
}
