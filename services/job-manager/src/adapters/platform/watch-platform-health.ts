import type { Directory } from '@waybill/directory/directory';
import type { Database } from '@waybill/postgres/database';
import type { RedisConnection } from '@waybill/redis/connect-redis';
import type { PresentProcess } from '@waybill/redis/presence/read-presences';
import type { S3Credentials } from '@waybill/service-kit/config/s3-config';
import type { ListConnectionHealth } from '../../domain/connections/list-connection-health.ts';
import { type AuditBacklog, judgeAudit, newestReport, viewAnchor } from '../../domain/platform/audit-finding.ts';
import { type AuditHealth, type ConnectionCounts, countConnections } from '../../domain/platform/platform-health.ts';
import { type Finding, type PartReport, watchPart } from '../../domain/platform/watched-part.ts';
import { checkDatabase, type DatabaseDetails } from './check-database.ts';
import { checkProcesses } from './check-processes.ts';
import { checkRedis, type RedisDetails } from './check-redis.ts';
import { countWaitingEvents } from './count-waiting-events.ts';
import { type StoreReport, watchStores } from './watch-stores.ts';

/** How the platform does, as this process has found it last. Reading costs nothing. */
export interface PlatformHealth {
  readonly services: PartReport<readonly PresentProcess[]>;
  readonly database: PartReport<DatabaseDetails>;
  readonly redis: PartReport<RedisDetails>;
  readonly stores: readonly StoreReport[];
  readonly connections: PartReport<ConnectionCounts>;
  readonly audit: AuditHealth;
}

/** Reads how the platform does. */
export interface PlatformHealthWatch extends AsyncDisposable {
  read(): Promise<PlatformHealth>;
}

/** What is checked, and with what. */
export interface PlatformHealthOptions {
  readonly db: Database;
  readonly redis: RedisConnection;
  readonly directory: Directory;
  readonly listConnectionHealth: ListConnectionHealth;
  readonly storage: { readonly blobDir: string; readonly s3Credentials: S3Credentials | undefined };
  /** A check of a part that was not down before has failed. */
  readonly failed: (error: unknown) => void;
}

const intervalMs = 3_000;

/** The limit of a check: a part that needs longer for a small question does not serve partners either. */
const limitMs = 1_000;

/** Begins to check the parts. Each is checked alone: one that hangs delays no other. */
export async function watchPlatformHealth(options: PlatformHealthOptions): Promise<PlatformHealthWatch> {
  const { db, redis, directory, listConnectionHealth, storage, failed } = options;
  await using started = new AsyncDisposableStack();
  const watch = <T>(name: string, check: () => Promise<Finding<T>>) =>
    started.use(watchPart({ name, intervalMs, limitMs, check, failed }));
  const services = watch('Redis, which has the reports of the services,', () => checkProcesses(redis));
  const database = watch('PostgreSQL', () => checkDatabase(db));
  const redisPart = watch('Redis', () => checkRedis(redis));
  const connections = watch('What has the state of client connections', async () => {
    const details = countConnections(await listConnectionHealth(undefined));
    const troubled = details.Failing + details.Suspended;
    if (troubled === 0) return { state: 'up', details };
    return { state: 'degraded', reason: `Client connections that do not work: ${troubled}`, details };
  });
  const stated = (): Pick<AuditHealth, 'checkpoint' | 'anchors'> => {
    const report = newestReport((services.report().details ?? []).map(({ audit }) => audit));
    const now = new Date();
    return { checkpoint: report?.checkpoint, anchors: (report?.anchors ?? []).map((one) => viewAnchor(one, now)) };
  };
  const audit = watch('PostgreSQL, which has the events,', async (): Promise<Finding<AuditBacklog>> => {
    const details = await countWaitingEvents(db);
    return { ...judgeAudit(details, stated().anchors), details };
  });
  const watchedStores = { ...storage, storageClasses: directory, failed };
  const stores = started.use(await watchStores(watchedStores));
  const first = Promise.all([services, database, redisPart, connections, audit].map(({ firstLook }) => firstLook));
  const resources = started.move();
  return {
    read: async () => {
      await Promise.all([first, stores.firstLook]);
      return {
        services: services.report(),
        database: database.report(),
        redis: redisPart.report(),
        stores: stores.reports(),
        connections: connections.report(),
        audit: { report: audit.report(), ...stated() },
      };
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
