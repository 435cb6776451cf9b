import { randomUUID } from 'node:crypto';
import { openDirectory } from '@waybill/directory/open-directory';
import { startRelay } from '@waybill/outbox-relay/start-relay';
import { openRefusalBook } from '@waybill/outbox/refusals/open-refusal-book';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { connectRedis } from '@waybill/redis/connect-redis';
import { databaseUrlOf } from '@waybill/service-kit/config/database-config';
import { redisUrlOf } from '@waybill/service-kit/config/redis-config';
import { exposureOf } from '@waybill/service-kit/network/exposure';
import type { ServiceContext } from '@waybill/service-kit/run-service';
import { createOutboxSessionAudit } from './adapters/outbox-session-audit.ts';
import type { Config } from './config.ts';
import { createEvents } from './events.ts';
import { openLoginGuard } from './open-login-guard.ts';

/** What every process of a gateway needs, whichever part of the work it does. */
export type Gateway = ReturnType<typeof openGateway>;

/** Connects one process to the datastores. */
export function openGateway(context: ServiceContext<Config>) {
  const { config, logger, metrics, resources } = context;
  const { MANAGER_NAME: managerName, CLUSTER_NAME: clusterName, PEER_NAME: peerName, SERVER_NAME: serverName } = config;
  const events = createEvents(logger, metrics);
  const server = { clusterName, peerName, serverName };
  const { db, redis, subscriber } = connectDatastores(context);
  // Each process wakes consumers for what it commits itself.
  resources.use(startRelay({ redisUrl: redisUrlOf(config), logger, metrics }));
  const processId = randomUUID();
  const refusals = resources.use(openRefusalBook({ db, logger, summary: 'operationsRefused' }));
  const audit = createOutboxSessionAudit({ db, server, processId, managerName, refusals });
  const guard = openLoginGuard({ config, redis, audit, events });
  const listener = ['SFTP_HOST', config.SFTP_HOST] as const;
  const exposure = exposureOf({ listener, publishedAddress: config.PUBLISHED_ADDRESS });
  const demoPasswords =
    exposure === undefined
      ? undefined
      : { refused: (userName: string) => events.demoPasswordRefused(userName, exposure) };
  const directory = openDirectory({ db, demoPasswords });
  return { db, redis, subscriber, directory, server, processId, managerName, audit, guard, events };
}

function connectDatastores({ config, logger, health, resources }: ServiceContext<Config>) {
  const applicationName = 'sftp-gateway';
  const redisUrl = redisUrlOf(config);
  const connect = (name: string) =>
    resources.adopt(connectRedis({ url: redisUrl, name, logger }), (redis) => redis.disconnect());

  const db = resources.adopt(
    connectPostgres({
      url: databaseUrlOf(config),
      applicationName,
      poolSize: config.DATABASE_POOL_SIZE,
      // One connection listens for changes of rights.
      declaredConnections: config.DATABASE_POOL_SIZE + 1,
    }),
    (db) => db.destroy(),
  );
  const redis = connect(applicationName);
  const subscriber = connect(`${applicationName}-control`);
  health.addCheck('postgres', () => db.raw('select 1'));
  health.addCheck('redis', () => redis.ping());
  return { db, redis, subscriber };
}
