import path from 'node:path';
import { applyConfiguration, type ConfigurationInForce } from './apply-configuration.ts';
import { assertPortsFree } from './assert-ports-free.ts';
import type { Config } from './config.ts';
import { openDatabaseLogins } from './database-logins.ts';
import { ensureDemoKey } from './ensure-demo-key.ts';
import { openPlatformFolder } from './platform-folder.ts';
import { neededPorts, servicePortsOf } from './ports.ts';
import { runWaybill } from './run-waybill.ts';
import { keySettings, serviceEnvironments, tourEnvironment, writeEnvironments } from './service-environments.ts';
import { serviceNames } from './service-name.ts';
import { startPostgres, startRedis } from './start-datastores.ts';
import { startEdge } from './start-edge.ts';
import { startServices } from './start-services.ts';
import { takeOver } from './take-over.ts';

/** What a platform is started with. */
export interface PlatformContext {
  /** The repository. */
  root: string;
  config: Config;
  /** What `npm start` was started with. */
  env: Readonly<Record<string, string | undefined>>;
  /** Takes what must be stopped; releasing it stops everything in the reverse order of its start. */
  resources: AsyncDisposableStack;
  /** Aborted when the platform is to stop, also while it starts. */
  signal: AbortSignal;
  report(line: string): void;
}

/** Starts everything in order and resolves with what is in force when the platform answers at its one address. */
export async function startPlatform({
  root,
  config,
  env,
  resources,
  signal,
  report,
}: PlatformContext): Promise<ConfigurationInForce> {
  const folder = openPlatformFolder(path.resolve(root, config.WAYBILL_DIR));
  await takeOver(folder, report);
  await assertPortsFree(neededPorts(config));

  report('Starting PostgreSQL and Redis');
  const database = openDatabaseLogins(folder, await startPostgres({ config, folder, resources, report }));
  signal.throwIfAborted();
  const redis = await startRedis({ config, folder, resources, report });
  signal.throwIfAborted();

  report('Applying migrations');
  const environment = {
    ...database.of('operator'),
    BLOB_DIR: folder.blobs,
    MANAGER_NAME: 'manager1',
    ACME_PUBLIC_KEY: await ensureDemoKey(folder.acmeKey),
  };
  await runWaybill({ root, args: ['migrate'], environment: database.migration, signal });
  const inForce = await applyConfiguration({ root, config, folder, env, environment, signal, report });

  const names = serviceNames.filter((name) => !config.WAYBILL_WITHOUT.includes(name));
  const environments = serviceEnvironments(config, folder, { database, redis });
  const servicePorts = servicePortsOf(config);
  writeEnvironments(folder, {
    ...environments,
    waybill: { ...environment, ...keySettings(folder) },
    tour: tourEnvironment(config),
  });
  report(`Starting ${names.join(', ')}`);
  await startServices({ root, folder, names, environments, servicePorts, resources, signal, report });
  resources.use(await startEdge({ port: config.WAYBILL_EDGE_PORT, servicePorts }));
  return inForce;
}
