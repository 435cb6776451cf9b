import { randomUUID } from 'node:crypto';
import { createRemoteKeySource } from '@waybill/access/remote-key-source';
import { createTokenVerifier } from '@waybill/access/token-verifier';
import { openDirectory } from '@waybill/directory/open-directory';
import { createFilebox } from '@waybill/filebox/create-filebox';
import { createBearerAuthenticator } from '@waybill/http-kit/bearer-authenticator';
import { createHttpServer } from '@waybill/http-kit/create-http-server';
import type { Route } from '@waybill/http-kit/route';
import { startRelay } from '@waybill/outbox/start-relay';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { migrate } from '@waybill/postgres/migrate';
import { connectRedis } from '@waybill/redis/connect-redis';
import { createNetworkList } from '@waybill/service-kit/network-list';
import type { ServiceContext } from '@waybill/service-kit/run-service';
import { loadHostKeys } from './adapters/load-host-keys.ts';
import { createOutboxSessionAudit } from './adapters/outbox-session-audit.ts';
import { createRedisSessionTerminator } from './adapters/redis-session-terminator.ts';
import type { Config } from './config.ts';
import { createFileSession } from './domain/files/create-file-session.ts';
import { createTemporaryNames } from './domain/files/temporary-names.ts';
import { createEvents } from './events.ts';
import { openLoginGuard } from './open-login-guard.ts';
import { openSessions } from './open-sessions.ts';
import { reportActivities } from './report-activities.ts';
import { createRoutes } from './routes.ts';
import { sftpGatewaySchema } from './sftp-gateway-schema.ts';
import { createBufferReclaimer } from './sftp/buffer-reclaimer.ts';
import { createSftpServer } from './sftp/create-sftp-server.ts';
import { limitsOfConfig } from './sftp/limits-of-config.ts';
import { requireHybridKeyExchange, requireNativeCiphers } from './sftp/ssh2-internals.ts';

/** Where a started gateway listens. */
export interface StartedGateway {
  readonly sftpPort: number;
  readonly httpPort: number;
}

/** Starts everything in the order in which it depends on one another; it stops in reverse. */
export async function startService(context: ServiceContext<Config>): Promise<StartedGateway> {
  const { config, logger, metrics, resources } = context;
  requireNativeCiphers();
  requireHybridKeyExchange();
  const { MANAGER_NAME: managerName, CLUSTER_NAME: clusterName, PEER_NAME: peerName, SERVER_NAME: serverName } = config;
  const events = createEvents(logger, metrics);
  const server = { clusterName, peerName, serverName };

  const { db, redis, subscriber } = await connectDatastores(context);
  const directory = openDirectory({ db });
  const storage = { db, blobDir: config.BLOB_DIR, storageClasses: directory };
  const store = resources.use(await createFilebox({ ...storage, managerName, logger, metrics }));
  const isTemporary = createTemporaryNames(config.SFTP_TEMPORARY_NAMES);
  const processId = randomUUID();
  await migrate(db, sftpGatewaySchema);
  const audit = createOutboxSessionAudit({ db, server, processId, managerName });
  const names = { server, processId, managerName };
  const sessions = await openSessions({ db, redis, subscriber, ...names, directory, audit, events, resources });
  const guard = openLoginGuard({ config, redis, audit, events });

  const sftp = createSftpServer({
    hostKeys: await loadHostKeys(config.SFTP_HOST_KEY_DIR, config.SFTP_HOST_KEY_TYPES),
    limits: limitsOfConfig(config),
    isProxy: createNetworkList(config.SFTP_PROXY_PROTOCOL_FROM),
    throttle: guard.throttle,
    bans: guard.admission,
    directory,
    sessions: sessions.lifecycle,
    audit,
    events,
    reclaimer: createBufferReclaimer(),
    filesOf: (login) => createFileSession({ directory, store, isTemporary, audit, server }, login),
  });
  const terminator = await createRedisSessionTerminator({
    redis,
    subscriber,
    server,
    terminateOwn: sftp.terminate,
    failed: events.registryBroke,
  });

  const { registry, followers, freezes, own } = sessions;
  resources.use(reportActivities({ sftp, own, failed: events.registryBroke }));
  const operations = { directory, registry, terminator, followers, freezes, bans: guard.bans, audit };
  const httpPort = await startHttp(context, createRoutes(operations));
  // Or those who follow would keep the HTTP interface from stopping.
  resources.use(followers);
  // Stops first, so that health and metrics can be read while the transfers end.
  resources.defer(() => sftp.stop(drainTimeoutOf(config.SHUTDOWN_TIMEOUT_SECONDS)));
  const { port: sftpPort } = await sftp.listen({ host: config.SFTP_HOST, port: config.SFTP_PORT });
  logger.info({ sftpPort, httpPort }, 'listening');
  return { sftpPort, httpPort };
}

async function connectDatastores({ config, logger, metrics, health, resources }: ServiceContext<Config>) {
  const databaseUrl = config.DATABASE_URL.reveal();
  const redisUrl = config.REDIS_URL.reveal();
  const applicationName = 'sftp-gateway';
  const connect = (name: string) =>
    resources.adopt(connectRedis({ url: redisUrl, name, logger }), (redis) => redis.disconnect());

  const db = resources.adopt(
    connectPostgres({ url: databaseUrl, applicationName, poolSize: config.DATABASE_POOL_SIZE }),
    (db) => db.destroy(),
  );
  const redis = connect(applicationName);
  const subscriber = connect(`${applicationName}-control`);
  health.addCheck('postgres', () => db.raw('select 1'));
  health.addCheck('redis', () => redis.ping());
  resources.use(await startRelay({ db, databaseUrl, redisUrl, logger, metrics }));
  return { db, redis, subscriber };
}

async function startHttp(
  { config, logger, metrics, health, resources }: ServiceContext<Config>,
  routes: Route[],
): Promise<number> {
  const keys = createRemoteKeySource({ urls: config.ACCESS_JWKS_URLS, logger });
  const verifier = createTokenVerifier({ keys, issuer: config.ACCESS_ISSUER, audience: config.ACCESS_AUDIENCE });
  const http = resources.use(
    createHttpServer({
      routes,
      authenticators: { bearer: createBearerAuthenticator(verifier) },
      health,
      metrics,
      logger,
      trustedProxies: config.TRUSTED_PROXIES,
    }),
  );
  const { port } = await http.listen({ host: config.HOST, port: config.PORT });
  return port;
}

/** Leaves a quarter of the time for everything that stops after the transfers. */
function drainTimeoutOf(shutdownSeconds: number): number {
  return shutdownSeconds * 750;
}
