import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { databaseAddressShape, databaseUrlOf } from '@waybill/service-kit/config/database-config';
import { loadConfig } from '@waybill/service-kit/config/load-config';
import { z } from 'zod';
import type { Surroundings } from '../command.ts';

const configSchema = z.object(databaseAddressShape);

/**
 * Runs a function with the database of DATABASE_URL, and closes it afterwards. @throws CodedError
 * `configuration_invalid` if DATABASE_URL is missing or invalid
 */
export async function withDatabase<R>({ env }: Surroundings, use: (db: Database) => Promise<R>): Promise<R> {
  const url = databaseUrlOf(loadConfig(configSchema, env));
  const db = connectPostgres({ url, poolSize: 3, applicationName: 'waybill cli' });
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}
