import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { databaseAddressShape, databaseUrlOf } from '@waybill/service-kit/config/database-config';
import { loadConfig } from '@waybill/service-kit/config/load-config';
import { fileVariableOf } from '@waybill/service-kit/config/secret-source';
import { z } from 'zod';
import { CommandFailed, type Surroundings } from '../command.ts';

const configSchema = z.object(databaseAddressShape);

/** The name of a database in an environment. */
const variable = 'DATABASE_URL';

/** What a command can use instead of a database: `waybill users keys acme` over the API. */
export interface InsteadOfDatabase {
  readonly instead?: string;
}

/**
 * Runs a function with the database of DATABASE_URL, and closes it afterwards. @throws CommandFailed if DATABASE_URL is missing;
 * CodedError `configuration_invalid` if it is invalid
 */
export async function withDatabase<R>(
  { env }: Surroundings,
  use: (db: Database) => Promise<R>,
  { instead }: InsteadOfDatabase = {},
): Promise<R> {
  if (!env[variable] && !env[fileVariableOf(variable)]) {
    const other = instead === undefined ? '' : `. With a running platform, use ${instead}`;
    throw new CommandFailed(
      `${variable} is not set. This command uses the database of an installation: run it in its environment${other}`,
    );
  }
  const db = connectPostgres({ url: databaseAddressOf(env), poolSize: 3, applicationName: 'waybill cli' });
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}

/** The address of the database of an environment, with its password. @throws CodedError `configuration_invalid` if it is invalid */
export function databaseAddressOf(env: Surroundings['env']): string {
  return databaseUrlOf(loadConfig(configSchema, env));
}
