import { accessSchema } from '@waybill/access/access-schema';
import { directorySchema } from '@waybill/directory/directory-schema';
import { fileboxSchema } from '@waybill/filebox/filebox-schema';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import { connectionsOf } from '@waybill/postgres/assert-connection-budget';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { prepareDatabase } from '@waybill/postgres/prepare-database';
import { assertNoeviction } from '@waybill/redis/assert-noeviction';
import { connectRedis, type RedisConnection } from '@waybill/redis/connect-redis';
import { secretsSchema } from '@waybill/secrets/secrets-schema';
import { databaseUrlOf } from '@waybill/service-kit/config/database-config';
import { redisUrlOf } from '@waybill/service-kit/config/redis-config';
import type { ServiceContext } from '@waybill/service-kit/run-service';
import { operatorConnectionsOf } from './adapters/administration/open-administration.ts';
import type { Config } from './config.ts';
import { jobsSchema } from './jobs-schema.ts';
import { processesAtMost, processPoolSize } from './worker/lanes/process-messages.ts';

/** Connects to PostgreSQL, and checks its schemas and the allocation of its connections. */
export async function openDatabase({ config, health, logger, resources }: ServiceContext<Config>): Promise<Database> {
  const runsJobs = config.ROLE === 'all' || config.ROLE === 'worker';
  // The processes of suspected jobs have connections of their own.
  const ofWorker = runsJobs ? 1 + processesAtMost * processPoolSize : 0;
  // Listens for changes of the configuration.
  const ofApi = config.ROLE === 'all' || config.ROLE === 'api' ? 1 : 0;
  const listeners = ofWorker + ofApi + operatorConnectionsOf(config);
  const connections = { poolSize: config.DATABASE_POOL_SIZE, processes: 1, listeners };
  const db = connectPostgres({
    url: databaseUrlOf(config),
    poolSize: config.DATABASE_POOL_SIZE,
    declaredConnections: connectionsOf(connections),
    applicationName: 'waybill job-manager',
  });
  resources.defer(() => db.destroy());
  health.addCheck('postgres', async () => db.raw('SELECT 1'));
  const schemas = [jobsSchema, directorySchema, accessSchema, fileboxSchema, outboxSchema, secretsSchema];
  await prepareDatabase({ db, schemas, privilegedUser: config.DATABASE_PRIVILEGED_USER, connections, logger });
  return db;
}

/** Connects to Redis. @throws Error if it may evict messages */
export async function openRedis({
  config,
  health,
  logger,
  resources,
}: ServiceContext<Config>): Promise<RedisConnection> {
  const redis = connectRedis({ url: redisUrlOf(config), name: 'waybill job-manager', logger });
  resources.defer(() => redis.disconnect());
  health.addCheck('redis', () => redis.ping());
  await assertNoeviction(redis);
  return redis;
}
