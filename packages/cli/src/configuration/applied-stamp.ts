import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { Database } from '@waybill/postgres/database';

/** Records in a file which configuration was last applied to which database. */
export interface AppliedStamp {
  /** Whether this configuration was the last one applied from here to this database. */
  isApplied(): Promise<boolean>;
  /** Call this after the configuration was applied. */
  write(): Promise<void>;
}

/**
 * The stamp in `file`. It is a digest of the configuration with the values of the environment, salted with the identity
 * of the database: after a new database was created, or a password has changed, the configuration does not count as
 * applied.
 */
export function openAppliedStamp(file: string, db: Database, configuration: PlatformConfiguration): AppliedStamp {
  const digest = async (): Promise<string> => {
    const hash = createHash('sha256')
      .update(await databaseName(db))
      .update('\0')
      .update(JSON.stringify(configuration));
    return `${hash.digest('hex')}\n`;
  };
  return {
    isApplied: async () => (await readStamp(file)) === (await digest()),
    // It is derived from passwords.
    write: async () => writeFile(file, await digest(), { mode: 0o600 }),
  };
}

async function databaseName(db: Database): Promise<string> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `SELECT system_identifier || '/' || (SELECT oid FROM pg_database WHERE datname = current_database()) AS name
     FROM pg_control_system()`,
  );
  return rows[0]?.name ?? '';
}

async function readStamp(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
