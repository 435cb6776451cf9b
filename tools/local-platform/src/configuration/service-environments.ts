import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { folderOf } from '@waybill/web-build/web-applications';
import type { Config } from './config.ts';
import type { DatabaseLogins, Environment } from './database-logins.ts';
import type { PlatformFolder } from './platform-folder.ts';
import type { ServiceName } from './service-name.ts';

/** The addresses that the services share. */
export interface SharedAddresses {
  database: Pick<DatabaseLogins, 'of' | 'asOperator'>;
  redis: (service: ServiceName) => Environment;
}

/** The environment of each service, by the names of its settings. */
export function serviceEnvironments(
  config: Config,
  folder: PlatformFolder,
  { database, redis }: SharedAddresses,
): Readonly<Record<ServiceName, Environment>> {
  const common = commonSettings(config);
  const stores = (service: ServiceName): Environment => ({ ...database.of(service), ...redis(service) });
  const peer = { CLUSTER_NAME: 'cluster1', PEER_NAME: 'peer1', BLOB_DIR: folder.blobs };
  return {
    'job-manager': {
      ...common,
      ...stores('job-manager'),
      ...database.asOperator,
      PORT: String(config.WAYBILL_JOB_MANAGER_PORT),
      BLOB_DIR: folder.blobs,
      ACCESS_SIGNING_KEY_FILE: folder.signingKey,
      SECRET_KEYS_FILE: folder.secretKeys,
      ACCESS_SECRET_KEYS_FILE: folder.accessSecretKeys,
      CONSOLE_FOLDER: folderOf('operators'),
    },
    audit: {
      ...common,
      ...stores('audit'),
      PORT: String(config.WAYBILL_AUDIT_PORT),
      AUDIT_SIGNING_KEY_FILE: folder.auditKey,
    },
    'http-files': {
      ...common,
      ...peer,
      ...stores('http-files'),
      SERVER_NAME: 'http-server',
      PORT: String(config.WAYBILL_HTTP_FILES_PORT),
      RECEIPT_SIGNING_KEY_FILE: folder.receiptKey,
      ACCESS_SECRET_KEYS_FILE: folder.accessSecretKeys,
      UI_FOLDER: folderOf('partners'),
    },
    'sftp-gateway': {
      ...common,
      ...peer,
      ...stores('sftp-gateway'),
      SERVER_NAME: 'sftp-server',
      PORT: String(config.WAYBILL_SFTP_GATEWAY_PORT),
      SFTP_HOST: '127.0.0.1',
      SFTP_PORT: String(config.WAYBILL_SFTP_PORT),
      SFTP_HOST_KEY_DIR: folder.hostKeys,
      ACCESS_SECRET_KEYS_FILE: folder.accessSecretKeys,
      ...(config.WAYBILL_SFTP_PROCESSES !== undefined && { SFTP_PROCESSES: String(config.WAYBILL_SFTP_PROCESSES) }),
    },
  };
}

function commonSettings(config: Config): Environment {
  return {
    HOST: '127.0.0.1',
    LOG_LEVEL: config.LOG_LEVEL,
    MANAGER_NAME: 'manager1',
    NODE_NAME: 'node1',
    // Disk operations and password hashing each need a thread of Node's pool, which has four by default.
    UV_THREADPOOL_SIZE: '16',
    ACCESS_JWKS_URLS: `http://127.0.0.1:${config.WAYBILL_JOB_MANAGER_PORT}/.well-known/jwks.json`,
  };
}

/** Where the signing keys of the services are, which `waybill signing-keys` rotates. */
export function keySettings(folder: PlatformFolder) {
  return {
    ACCESS_SIGNING_KEY_FILE: folder.signingKey,
    RECEIPT_SIGNING_KEY_FILE: folder.receiptKey,
    AUDIT_SIGNING_KEY_FILE: folder.auditKey,
    SFTP_HOST_KEY_DIR: folder.hostKeys,
  };
}

/**
 * The environment of `npm run waybill`: of the commands that use the database, and with the address of the platform whose database it
 * is, so that they refuse it to somebody who is logged in elsewhere.
 */
export function commandEnvironment({ WAYBILL_EDGE_PORT: port }: Config, environment: Environment): Environment {
  return { ...environment, DATABASE_PLATFORM: `http://127.0.0.1:${port}` };
}

/** The environment of `npm run tour`, with the addresses of this platform. */
export function tourEnvironment(config: Config): Environment {
  return {
    WAYBILL_EDGE_PORT: String(config.WAYBILL_EDGE_PORT),
    WAYBILL_SFTP_PORT: String(config.WAYBILL_SFTP_PORT),
  };
}

/**
 * Writes the environments for the tour, and for running one service, or the command line, by hand against this
 * platform. Mode 600: they contain passwords.
 */
export function writeEnvironments(folder: PlatformFolder, environments: Readonly<Record<string, Environment>>): void {
  for (const [name, environment] of Object.entries(environments)) {
    const lines = Object.entries(environment).map(
      ([variable, value]) => `${variable}=${/\s/u.test(value) ? `"${value}"` : value}\n`,
    );
    writeFileSync(path.join(folder.environments, `${name}.env`), lines.join(''), { mode: 0o600 });
  }
}
