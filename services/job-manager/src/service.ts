import { accessSchema } from '@waybill/access/access-schema';
import { directorySchema } from '@waybill/directory/directory-schema';
import { openDirectory } from '@waybill/directory/open-directory';
import { createFilebox } from '@waybill/filebox/create-filebox';
import { fileboxSchema } from '@waybill/filebox/filebox-schema';
import { startExpiry } from '@waybill/filebox/retention/start-expiry';
import { reportVerifications } from '@waybill/filebox/upkeep/report-verifications';
import { startSweeper } from '@waybill/filebox/upkeep/start-sweeper';
import { createBearerAuthenticator } from '@waybill/http-kit/routing/bearer-authenticator';
import { createHttpServer } from '@waybill/http-kit/server/create-http-server';
import { httpSettingsOf } from '@waybill/http-kit/server/http-settings';
import { reportOldestEvent } from '@waybill/outbox-relay/report-oldest-event';
import { startRelay } from '@waybill/outbox-relay/start-relay';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import { connectionsOf } from '@waybill/postgres/assert-connection-budget';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { prepareDatabase } from '@waybill/postgres/prepare-database';
import { assertNoeviction } from '@waybill/redis/assert-noeviction';
import { connectRedis, type RedisConnection } from '@waybill/redis/connect-redis';
import { databaseUrlOf } from '@waybill/service-kit/config/database-config';
import { redisUrlOf } from '@waybill/service-kit/config/redis-config';
import { storageOf } from '@waybill/service-kit/config/storage-config';
import { exposureOf } from '@waybill/service-kit/network/exposure';
import type { ServiceContext } from '@waybill/service-kit/run-service';
import { createKnexJobRegister } from './adapters/knex-job-register.ts';
import { openAccess } from './adapters/open-access.ts';
import type { Config } from './config.ts';
import type { LoginEvents } from './domain/access/login-events.ts';
import { createJobControl } from './domain/control-jobs.ts';
import { createSubmitJob } from './domain/submit-job.ts';
import { createEvents } from './events.ts';
import { jobsSchema } from './jobs-schema.ts';
import { createRoutes } from './routes.ts';
import { startWorker } from './worker/start-worker.ts';

/** Starts the job manager: its workers, then its HTTP interface. Returns the port that it listens on. */
export async function startJobManager(context: ServiceContext<Config>): Promise<{ port: number }> {
  const { config, logger, metrics, health, resources } = context;
  const databaseUrl = databaseUrlOf(config);
  const redisUrl = redisUrlOf(config);
  const managerName = config.MANAGER_NAME;
  const site = { managerName, nodeName: config.NODE_NAME };
  const events = createEvents(logger, metrics);

  const db = await openDatabase(context);
  const redis = await openRedis(context);

  const directory = openDirectory({ db, demoPasswords: demoPasswordRefusal(config, events) });
  await directory.reportDemoPasswords('manager');
  const storage = { db, ...storageOf(config), storageClasses: directory };
  const filebox = resources.use(await createFilebox({ ...storage, managerName, logger, metrics }));
  const register = createKnexJobRegister(db);
  const { issuer, verifier, logins } = await openAccess({ ...context, db, redis, directory, site, events });

  resources.use(await startSweeper({ ...storage, logger, metrics }));
  reportVerifications({ db, metrics });
  const retention = { retention: directory, intervalMs: config.RETENTION_INTERVAL_SECONDS * 1_000 };
  resources.use(startExpiry({ db, site, ...retention, logger, metrics }));
  reportOldestEvent({ db, metrics });
  resources.use(startRelay({ redisUrl, logger, metrics }));
  const connections = { db, databaseUrl, redisUrl };
  const pace = {
    concurrency: config.JOB_CONCURRENCY,
    leaseMs: config.JOB_LEASE_SECONDS * 1_000,
    pollMs: config.JOB_POLL_SECONDS * 1_000,
  };
  resources.use(
    await startWorker({ ...connections, ...pace, logger, metrics, events, directory, filebox, register, site }),
  );

  const submitJob = createSubmitJob({ directory, register });
  const control = createJobControl({ register });
  const basePath = config.JOB_MANAGER_BASE_PATH;
  const server = createHttpServer({
    routes: createRoutes({ submitJob, register, control, logins, issuer, events, basePath }),
    authenticators: { bearer: createBearerAuthenticator(verifier) },
    health,
    metrics,
    logger,
    ...httpSettingsOf(config),
  });
  resources.use(server);
  return await server.listen({ host: config.HOST, port: config.PORT });
}

async function openDatabase({ config, health, logger, resources }: ServiceContext<Config>): Promise<Database> {
  const connections = { poolSize: config.DATABASE_POOL_SIZE, processes: 1, listeners: 1 };
  const db = connectPostgres({
    url: databaseUrlOf(config),
    poolSize: config.DATABASE_POOL_SIZE,
    declaredConnections: connectionsOf(connections),
    applicationName: 'waybill job-manager',
  });
  resources.defer(() => db.destroy());
  health.addCheck('postgres', async () => db.raw('SELECT 1'));
  const schemas = [jobsSchema, directorySchema, accessSchema, fileboxSchema, outboxSchema];
  await prepareDatabase({ db, schemas, privilegedUser: config.DATABASE_PRIVILEGED_USER, connections, logger });
  return db;
}

async function openRedis({ config, health, logger, resources }: ServiceContext<Config>): Promise<RedisConnection> {
  const redis = connectRedis({ url: redisUrlOf(config), name: 'waybill job-manager', logger });
  resources.defer(() => redis.disconnect());
  health.addCheck('redis', () => redis.ping());
  await assertNoeviction(redis);
  return redis;
}

/** None if only this machine can reach the service. */
function demoPasswordRefusal(config: Config, events: Pick<LoginEvents, 'demoPasswordRefused'>) {
  const exposure = exposureOf({ listener: ['HOST', config.HOST], publishedAddress: config.PUBLISHED_ADDRESS });
  return exposure === undefined
    ? undefined
    : { refused: (userName: string) => events.demoPasswordRefused(userName, exposure) };
}
