import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { PlatformFolder } from './platform-folder.ts';
import type { ServiceName } from './service-name.ts';

/** The settings of a process. */
export type Environment = Readonly<Record<string, string>>;

/** Who logs in to the database: each service, the command line, and what migrates. */
type DatabaseUser = ServiceName | 'operator' | 'migrator';

const users: readonly DatabaseUser[] = ['migrator', 'sftp-gateway', 'http-files', 'job-manager', 'audit', 'operator'];

/** How processes log in to the database; the passwords stay in files. */
export interface DatabaseLogins {
  /** For a process that works with the data. */
  of(user: ServiceName | 'operator'): Environment;
  /** For a service that changes the configuration, besides its own login. */
  readonly asOperator: Environment;
  /** For `waybill migrate`, as the superuser: it creates the roles, with the passwords of the others. */
  readonly migration: Environment;
}

/** Generates missing passwords. `url` is the superuser's address, with its password. */
export function openDatabaseLogins(folder: PlatformFolder, url: string): DatabaseLogins {
  const passwordFiles: Record<string, string> = {};
  for (const user of users) {
    const file = folder.databasePassword(user);
    keepPassword(file);
    passwordFiles[`DATABASE_PASSWORD_${nameOf(user).toUpperCase()}_FILE`] = file;
  }
  return {
    of: (user) => ({
      DATABASE_URL: withoutPassword(url, `waybill_${nameOf(user)}`),
      DATABASE_PASSWORD_FILE: folder.databasePassword(user),
    }),
    asOperator: {
      OPERATOR_DATABASE_URL: withoutPassword(url, 'waybill_operator'),
      OPERATOR_DATABASE_PASSWORD_FILE: folder.databasePassword('operator'),
    },
    migration: {
      DATABASE_URL: withoutPassword(url),
      DATABASE_PASSWORD_FILE: path.join(folder.postgres, 'password'),
      ...passwordFiles,
    },
  };
}

function nameOf(user: DatabaseUser): string {
  return user.replace('-', '_');
}

function withoutPassword(url: string, user?: string): string {
  const address = new URL(url);
  address.password = '';
  if (user !== undefined) address.username = user;
  return address.toString();
}

function keepPassword(file: string): void {
  try {
    if (readFileSync(file, 'utf8') !== '') return;
  } catch {
    // It is generated now.
  }
  writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
}
