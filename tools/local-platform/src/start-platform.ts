import path from 'node:path';
import { ensureWebApplications } from '@waybill/web-build/web-applications';
import {
  type ApplyContext,
  applyConfiguration,
  type ConfigurationInForce,
} from './configuration/apply-configuration.ts';
import type { Config } from './configuration/config.ts';
import { type Environment, openDatabaseLogins } from './configuration/database-logins.ts';
import { ensureDemoKey } from './configuration/ensure-demo-key.ts';
import { ensureSecretKeys } from './configuration/ensure-secret-keys.ts';
import { openPlatformFolder } from './configuration/platform-folder.ts';
import {
  commandEnvironment,
  keySettings,
  serviceEnvironments,
  tourEnvironment,
  writeEnvironments,
} from './configuration/service-environments.ts';
import { serviceNames } from './configuration/service-name.ts';
import { startWaybill } from './configuration/start-waybill.ts';
import { startEdge } from './edge/start-edge.ts';
import { assertPortsFree } from './processes/assert-ports-free.ts';
import { neededPorts, servicePortsOf } from './processes/ports.ts';
import { startPostgres, startRedis } from './processes/start-datastores.ts';
import { startServices } from './processes/start-services.ts';
import { takeOver } from './processes/take-over.ts';

/** What starting a platform needs. */
export interface PlatformContext {
  /** The repository. */
  root: string;
  config: Config;
  /** The environment of `npm start`. */
  env: Readonly<Record<string, string | undefined>>;
  /** Collects resources; releasing it stops everything in the reverse order of its start. */
  resources: AsyncDisposableStack;
  /** Aborted when the platform must stop, also while it starts. */
  signal: AbortSignal;
  report(line: string): void;
}

/**
 * Starts everything in order, and resolves with the configuration in force when the platform responds at its one
 * address.
 */
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

  await ensureWebApplications(report, signal);
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
    SECRET_KEYS_FILE: folder.secretKeys,
  };
  await ensureSecretKeys(folder.secretKeys);
  await ensureSecretKeys(folder.accessSecretKeys);
  const inForce = await prepareDatabase({ root, config, folder, env, environment, signal, report }, database.migration);

  const names = serviceNames.filter((name) => !config.WAYBILL_WITHOUT.includes(name));
  const environments = serviceEnvironments(config, folder, { database, redis });
  const servicePorts = servicePortsOf(config);
  writeEnvironments(folder, {
    ...environments,
    waybill: commandEnvironment(config, { ...environment, ...keySettings(folder) }),
    tour: tourEnvironment(config),
  });
  report(`Starting ${names.join(', ')}`);
  await startServices({ root, folder, names, environments, servicePorts, resources, signal, report });
  resources.use(await startEdge({ port: config.WAYBILL_EDGE_PORT, servicePorts }));
  return inForce;
}

async function prepareDatabase(
  context: Omit<ApplyContext, 'waybill'> & { signal: AbortSignal },
  migration: Environment,
): Promise<ConfigurationInForce> {
  await using waybill = startWaybill(context);
  await waybill.succeed(['migrate'], migration);
  return await applyConfiguration({ ...context, waybill });
}
