import { mkdirSync } from 'node:fs';
import path from 'node:path';

/** The folders and files of one local platform, all below `.waybill`. */
export interface PlatformFolder {
  postgres: string;
  redis: string;
  blobs: string;
  /** Mode 600 each: the SSH host keys, the keys that sign access tokens, audit digests and receipts, acme's demo key. */
  hostKeys: string;
  signingKey: string;
  auditKey: string;
  receiptKey: string;
  acmeKey: string;
  /** The keys of the stored secrets; mode 600. */
  secretKeys: string;
  /** Keys of second factors. */
  accessSecretKeys: string;
  /** The password of a role of the database; mode 600. */
  databasePassword(user: string): string;
  /** The configuration file that was applied last, and where the values of its variables are. */
  configuration: string;
  /** The value of a variable of the configuration; mode 600. */
  configurationValue(variable: string): string;
  /** The environments of each service and of the command line, for running them by hand. */
  environments: string;
  /** `<name>.log` */
  log(name: string): string;
  /** `<name>.pid` */
  pid(name: string): string;
}

/**
 * The environment of the tour. It is written when a configuration is in force, so its existence shows that there is
 * one.
 */
export function tourFile({ environments }: Pick<PlatformFolder, 'environments'>): string {
  return path.join(environments, 'tour.env');
}

/** Creates the folders, readable by their owner only. */
export function openPlatformFolder(root: string): PlatformFolder {
  const below = (...names: string[]): string => path.join(root, ...names);
  const keys = ['database', 'configuration'].map((name) => path.join('keys', name));
  for (const name of ['.', 'blobs', 'keys', ...keys, 'logs', 'run', 'environments']) {
    mkdirSync(below(name), { recursive: true, mode: 0o700 });
  }
  return {
    postgres: below('postgres'),
    redis: below('redis'),
    blobs: below('blobs'),
    hostKeys: below('keys', 'sftp-host'),
    signingKey: below('keys', 'access-signing-key.pem'),
    auditKey: below('keys', 'audit-signing-key.pem'),
    receiptKey: below('keys', 'receipt-signing-key.pem'),
    acmeKey: below('keys', 'acme'),
    secretKeys: below('keys', 'secret-keys'),
    accessSecretKeys: below('keys', 'access-secret-keys'),
    databasePassword: (user) => below('keys', 'database', user),
    configuration: below('configuration.json'),
    configurationValue: (variable) => below('keys', 'configuration', variable),
    environments: below('environments'),
    log: (name) => below('logs', `${name}.log`),
    pid: (name) => below('run', `${name}.pid`),
  };
}
