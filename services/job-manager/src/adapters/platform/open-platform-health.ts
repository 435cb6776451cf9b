import type { Principal } from '@waybill/access/principal';
import type { Directory } from '@waybill/directory/directory';
import type { Authority } from '@waybill/directory/rights/open-authority';
import { tolerateOutage } from '@waybill/directory/rights/tolerate-outage';
import { createBearerAuthenticator } from '@waybill/http-kit/routing/bearer-authenticator';
import type { Authenticator } from '@waybill/http-kit/routing/route';
import type { Database } from '@waybill/postgres/database';
import type { RedisConnection } from '@waybill/redis/connect-redis';
import { storageOf } from '@waybill/service-kit/config/storage-config';
import type { Config, JobSite } from '../../config.ts';
import type { ListConnectionHealth } from '../../domain/connections/list-connection-health.ts';
import type { JobManagerEvents } from '../../events.ts';
import { type PlatformHealthWatch, watchPlatformHealth } from './watch-platform-health.ts';

/** The health of the platform, as it is asked for. */
export interface OpenPlatformHealth {
  readonly platformHealth: Pick<PlatformHealthWatch, 'read'>;
  /** Also lets callers in whose rights cannot be read now. */
  readonly authenticateInOutage: Authenticator<Principal>;
  readonly nodeName: string;
}

/** Begins to watch the platform. */
export async function openPlatformHealth(parts: {
  config: Config;
  site: JobSite;
  db: Database;
  redis: RedisConnection;
  directory: Directory;
  events: Pick<JobManagerEvents, 'workerTroubled'>;
  resources: AsyncDisposableStack;
  authority: Authority;
  listConnectionHealth: ListConnectionHealth;
}): Promise<OpenPlatformHealth> {
  const { config, site, events, resources, authority } = parts;
  const failed = (error: unknown): void => events.workerTroubled(error, 'check the platform');
  return {
    platformHealth: resources.use(await watchPlatformHealth({ ...parts, storage: storageOf(config), failed })),
    authenticateInOutage: createBearerAuthenticator(tolerateOutage(authority)),
    nodeName: site.nodeName,
  };
}
