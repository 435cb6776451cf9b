import { accessSchema } from '@waybill/access/access-schema';
import { openAccessKeyRing } from '@waybill/access/second-factors/access-key-ring';
import { createSecondFactors } from '@waybill/access/second-factors/second-factors';
import { createPartnerPasswords } from '@waybill/directory/accounts/partner-passwords';
import { createPartnerSecondFactors } from '@waybill/directory/accounts/partner-second-factors';
import { directorySchema } from '@waybill/directory/directory-schema';
import { openDirectory } from '@waybill/directory/open-directory';
import { watchUsers } from '@waybill/directory/standing/watch-users';
import { createRedisDownloadCoverage } from '@waybill/download-coverage/create-redis-download-coverage';
import { createFilebox } from '@waybill/filebox/create-filebox';
import { fileboxSchema } from '@waybill/filebox/filebox-schema';
import type { NoteRefusal } from '@waybill/http-kit/routing/refused-request';
import { createHttpServer, type HttpServer } from '@waybill/http-kit/server/create-http-server';
import { httpSettingsOf } from '@waybill/http-kit/server/http-settings';
import { reportExpiries } from '@waybill/http-kit/server/report-expiries';
import { serveWebApplication } from '@waybill/http-kit/web/serve-web-application';
import { reportOldestEvent } from '@waybill/outbox-relay/report-oldest-event';
import { startRelay } from '@waybill/outbox-relay/start-relay';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import { openRefusalBook } from '@waybill/outbox/refusals/open-refusal-book';
import { connectionsOf } from '@waybill/postgres/assert-connection-budget';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { prepareDatabase } from '@waybill/postgres/prepare-database';
import { connectRedis, type RedisConnection } from '@waybill/redis/connect-redis';
import { announcePresence } from '@waybill/redis/presence/announce-presence';
import { databaseUrlOf } from '@waybill/service-kit/config/database-config';
import { redisUrlOf } from '@waybill/service-kit/config/redis-config';
import { storageOf } from '@waybill/service-kit/config/storage-config';
import { createNetworkCounter } from '@waybill/service-kit/network/counted-network';
import { exposureOf } from '@waybill/service-kit/network/exposure';
import type { ServiceContext } from '@waybill/service-kit/run-service';
import { useStarted } from '@waybill/service-kit/use-started';
import { followKeySet } from '@waybill/signing-keys/follow-key-set';
import { createKeyEvents } from '@waybill/signing-keys/key-events';
import { createRotationPlan } from '@waybill/signing-keys/rotation-plan';
import { createEs256ReceiptSigner, receiptKeyStore } from './adapters/es256-receipt-signer.ts';
import { createKnexDeliveryBook } from './adapters/knex-delivery-book.ts';
import { createKnexReceiptBook, receiptTable } from './adapters/knex-receipt-book.ts';
import { createKnexResumableUploadBook } from './adapters/knex-resumable-upload-book.ts';
import { openLoginThrottle } from './adapters/open-login-throttle.ts';
import { createOutboxLoginRecord } from './adapters/outbox-login-record.ts';
import { publishTransfers, type TransferPublication } from './adapters/publish-transfers.ts';
import { createRedisLoginSessions } from './adapters/redis-login-sessions.ts';
import type { Config } from './config.ts';
import { createAccountOperations } from './create-account-operations.ts';
import { createFileOperations } from './create-file-operations.ts';
import { createLogins } from './create-logins.ts';
import { createFileAccess } from './domain/access/file-access.ts';
import type { ServerPlace } from './domain/access/origin-of.ts';
import type { LoginEvents } from './domain/logins/login-events.ts';
import { createRunningTransfers, type RunningTransfers } from './domain/transfers/running-transfers.ts';
import { createEvents } from './events.ts';
import { httpFilesSchema } from './http-files-schema.ts';
import { refusalOfRequest } from './http/audit-refused-request.ts';
import { formatFileFailure } from './http/format-file-failure.ts';
import { createRoutes } from './routes.ts';
import { startHousekeeping } from './start-housekeeping.ts';

/** Starts http-files and returns its port. Resources are released in reverse order. */
export async function startService(context: ServiceContext<Config>): Promise<{ port: number }> {
  const { config, logger, metrics, resources } = context;
  const { db, redis } = await connectDatastores(context);
  const { MANAGER_NAME: managerName, FOLDER_NAMES_BYTES: folderNameCacheBytes } = config;
  const server = { clusterName: config.CLUSTER_NAME, peerName: config.PEER_NAME, serverName: config.SERVER_NAME };
  const events = createEvents(logger, metrics);

  const directory = openDirectory({ db, demoPasswords: demoPasswordRefusal(config, events) });
  await directory.reportDemoPasswords('partner');
  const watch = await openWatch(context, db);
  const storage = { db, ...storageOf(config), storageClasses: directory };
  const filebox = resources.use(
    await createFilebox({ ...storage, managerName, receiptTable, folderNameCacheBytes, logger, metrics }),
  );
  const idleSeconds = config.SESSION_IDLE_SECONDS;
  const sessions = createRedisLoginSessions(redis, idleSeconds);
  const record = createOutboxLoginRecord({ db, server, managerName });
  const throttle = openLoginThrottle({ redis, ...throttleOptionsOf(config), record, events });
  const access = createFileAccess({ filebox });
  const accounts = openAccounts(context, db, { ...server, managerName });
  const logins = createLogins({ directory, ...accounts, sessions, throttle, record, events, server, idleSeconds });

  const books = {
    coverage: createRedisDownloadCoverage(redis),
    receipts: createKnexReceiptBook(db),
    deliveries: createKnexDeliveryBook(),
  };
  const resumable = resumableUploadsOf(config, db);
  const signer = await openReceiptSigner(context, managerName);

  const transfers = openTransfers(context, { db, redis, server, managerName });
  const routes = createRoutes({
    transfers,
    ...logins,
    ...createAccountOperations({ db, redis, sessions, ...logins, site: { ...server, managerName } }),
    watch,
    access,
    ...createFileOperations({ filebox, directory, access, server, ...books, events, ...resumable }),
    resumableLimitBytes: resumable.limitBytes,
    receipts: books.receipts,
    signer,
    events,
  });
  const refused = auditRefusals(context, db, { server, managerName });
  const http = createHttpServer({ ...context, routes, refused, ...(await serverOptionsOf(config)) });
  const kept = { sessions, transfers, idleSeconds, receiptDays: config.RECEIPT_DAYS };
  resources.use(startHousekeeping({ ...logins, ...kept, db, logger, events }));
  announce(context, { redis, server: http });
  return resources.use(http).listen({ host: config.HOST, port: config.PORT });
}

/** Where resumable uploads are kept, and their limits. */
function resumableUploadsOf(config: Config, db: Database) {
  return {
    uploads: createKnexResumableUploadBook(db),
    keptHours: config.RESUMABLE_UPLOAD_HOURS,
    limitBytes: config.RESUMABLE_UPLOAD_LIMIT_BYTES,
    unfinishedAtMost: config.RESUMABLE_UPLOADS_PER_USER,
  };
}

/** The transfers of this process, which administrators see. */
function openTransfers(
  { logger, resources }: ServiceContext<Config>,
  parts: Pick<TransferPublication, 'db' | 'redis' | 'server' | 'managerName'>,
): RunningTransfers {
  const transfers = createRunningTransfers();
  const failed = (error: unknown): void => logger.warn({ err: error }, 'running transfers cannot be published');
  resources.use(publishTransfers({ ...parts, transfers, failed }));
  return transfers;
}

/** The settings, the form of failures and, if there are any, the partners' pages. */
async function serverOptionsOf(config: Config) {
  const { UI_FOLDER: folder } = config;
  const options = { ...httpSettingsOf(config), formatError: formatFileFailure };
  return folder === undefined
    ? options
    : { ...options, webApplication: await serveWebApplication({ prefix: '/ui', folder }) };
}

function auditRefusals(
  { logger, resources }: ServiceContext<Config>,
  db: Database,
  place: { readonly server: ServerPlace; readonly managerName: string },
): NoteRefusal {
  const refusals = resources.use(openRefusalBook({ db, logger, summary: 'operationsRefused' }));
  return async (request) => {
    const refusal = refusalOfRequest(request, place);
    if (refusal !== undefined) await refusals.note(refusal);
  };
}

async function connectDatastores({ config, logger, metrics, health, resources }: ServiceContext<Config>) {
  const databaseUrl = databaseUrlOf(config);
  const redisUrl = redisUrlOf(config);
  const connections = { poolSize: config.DATABASE_POOL_SIZE, processes: 1, listeners: 1 };
  const declared = { poolSize: connections.poolSize, declaredConnections: connectionsOf(connections) };
  const pool = { url: databaseUrl, applicationName: 'waybill http-files', ...declared };
  const db = resources.adopt(connectPostgres(pool), (db) => db.destroy());
  const schemas = [httpFilesSchema, accessSchema, directorySchema, fileboxSchema, outboxSchema];
  await prepareDatabase({ db, schemas, privilegedUser: config.DATABASE_PRIVILEGED_USER, connections, logger });
  const connection = connectRedis({ url: redisUrl, name: 'waybill http-files', logger });
  const redis = resources.adopt(connection, (redis) => redis.disconnect());
  health.addCheck('postgres', () => db.raw('SELECT 1'));
  health.addCheck('redis', () => redis.ping());
  reportOldestEvent({ db, metrics });
  resources.use(startRelay({ redisUrl, logger, metrics }));
  return { db, redis };
}

/** The passwords and second factors of partners. */
function openAccounts(
  { config, env = {} }: ServiceContext<Config>,
  db: Database,
  site: Parameters<typeof createPartnerSecondFactors>[2],
) {
  const ring = openAccessKeyRing(env, { maxAgeMs: config.KEY_RELOAD_SECONDS * 1_000 });
  const blockSeconds = config.LOGIN_FAILURE_WINDOW_SECONDS;
  const factors = createSecondFactors({ db, ring, blockSeconds, of: 'partners' });
  return {
    passwords: createPartnerPasswords(db, site),
    secondFactors: createPartnerSecondFactors(db, factors, site),
  };
}

async function openReceiptSigner({ config, logger, metrics, resources }: ServiceContext<Config>, issuer: string) {
  const following = { intervalMs: config.KEY_RELOAD_SECONDS * 1_000, events: createKeyEvents(logger, metrics) };
  const keys = resources.use(await followKeySet(receiptKeyStore(config.RECEIPT_SIGNING_KEY_FILE), following));
  return createEs256ReceiptSigner({ keys, issuer });
}

/** Reports that this process runs, and what of it expires. */
function announce(
  { config, metrics, health, resources }: ServiceContext<Config>,
  { redis, server }: { readonly redis: RedisConnection; readonly server: HttpServer },
): void {
  const stores = [receiptKeyStore(config.RECEIPT_SIGNING_KEY_FILE)];
  const rotations = createRotationPlan({ stores, days: config.KEY_ROTATION_DAYS, metrics });
  const service = 'http-files';
  const facts = reportExpiries({ service, server, rotations });
  resources.use(announcePresence({ service, node: config.PEER_NAME, redis, health, facts }));
}

async function openWatch({ config, logger, resources }: ServiceContext<Config>, db: Database) {
  const place = { cluster: config.CLUSTER_NAME, server: config.SERVER_NAME };
  return useStarted(resources, watchUsers({ db, databaseUrl: databaseUrlOf(config), place, logger }));
}

function throttleOptionsOf(config: Config) {
  const limits = {
    perUser: config.LOGIN_FAILURES_PER_USER,
    perAddress: config.LOGIN_FAILURES_PER_ADDRESS,
    windowSeconds: config.LOGIN_FAILURE_WINDOW_SECONDS,
  };
  return { limits, countNetwork: createNetworkCounter(config.CLIENT_IPV6_PREFIX_BITS) };
}

/** Undefined if only this machine can reach the service. */
function demoPasswordRefusal(config: Config, events: Pick<LoginEvents, 'demoPasswordRefused'>) {
  const exposure = exposureOf({ listener: ['HOST', config.HOST], publishedAddress: config.PUBLISHED_ADDRESS });
  return exposure === undefined
    ? undefined
    : { refused: (userName: string) => events.demoPasswordRefused(userName, exposure) };
}
