import path from 'node:path';
import { serviceUserLines } from '@waybill/deployment/redis-users';
import { ensureRedisServer } from '@waybill/private-datastores/ensure-redis-server';
import { startPrivatePostgres } from '@waybill/private-datastores/start-private-postgres';
import { startPrivateRedis } from '@waybill/private-datastores/start-private-redis';
import type { Config } from '../configuration/config.ts';
import type { Environment } from '../configuration/database-logins.ts';
import type { PlatformFolder } from '../configuration/platform-folder.ts';
import type { ServiceName } from '../configuration/service-name.ts';
import { assertReachable } from './assert-reachable.ts';
import { keepRunning } from './keep-running.ts';

/** What starting a datastore needs. */
export interface DatastoreContext {
  config: Config;
  folder: PlatformFolder;
  resources: AsyncDisposableStack;
  report(line: string): void;
}

/** Starts PostgreSQL with its default durability, and keeps it running. Resolves to its superuser's address. */
export async function startPostgres({ config, folder, resources, report }: DatastoreContext): Promise<string> {
  const options = { folder: folder.postgres, port: config.WAYBILL_POSTGRES_PORT, logFile: folder.log('postgres') };
  let url = '';
  const start = async () => {
    const postgres = await startPrivatePostgres(options);
    url = postgres.socketUrl();
    return postgres;
  };
  resources.use(await keepRunning({ name: 'PostgreSQL', start, report }));
  return url;
}

/**
 * Uses the Redis of REDIS_URL, or starts one and keeps it running. Each service has its own user there, with the rights that it has
 * in containers: what works here works there. Resolves to the settings of a service.
 */
export async function startRedis({
  config,
  folder,
  resources,
  report,
}: DatastoreContext): Promise<(service: ServiceName) => Environment> {
  if (config.REDIS_URL !== undefined) {
    await assertReachable(config.REDIS_URL);
    const given = { REDIS_URL: config.REDIS_URL };
    return () => given;
  }
  const program = await ensureRedisServer(report);
  const options = {
    folder: folder.redis,
    program,
    port: config.WAYBILL_REDIS_PORT,
    logFile: folder.log('redis'),
    usersOf: (password: string) => serviceUserLines(() => [password]),
  };
  let port = 0;
  const start = async () => {
    const redis = await startPrivateRedis(options);
    ({ port } = redis);
    return redis;
  };
  resources.use(await keepRunning({ name: 'Redis', start, report }));
  const passwordFile = path.join(folder.redis, 'password');
  return (service) => ({ REDIS_URL: `redis://${service}@127.0.0.1:${port}/0`, REDIS_PASSWORD_FILE: passwordFile });
}
