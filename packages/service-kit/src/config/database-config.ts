import { z } from 'zod';
import { passwordInUrl } from './password-in-url.ts';
import { type Secret, secretSchema } from './secret.ts';

/** The settings of every program that uses PostgreSQL. */
export const databaseAddressShape = {
  DATABASE_URL: secretSchema.describe('PostgreSQL, as postgresql://user:password@host:port/database'),
  DATABASE_PASSWORD: secretSchema.optional().describe('Password for an address in DATABASE_URL that has none'),
};

/** The settings of a service that uses PostgreSQL. */
export const databaseConfigShape = {
  ...databaseAddressShape,
  DATABASE_POOL_SIZE: z.coerce
    .number()
    .int()
    .min(2)
    .max(1_000)
    .default(10)
    .describe('Maximum number of connections of a process'),
  DATABASE_PRIVILEGED_USER: z
    .enum(['refuse', 'allow'])
    .default('refuse')
    .describe('Whether the service accepts a database user who is a superuser or owns its tables'),
};

/**
 * The address of PostgreSQL with its password.
 * @throws CodedError `configuration_invalid` if the address is invalid, or the password is given twice
 */
export function databaseUrlOf(config: { DATABASE_URL: Secret; DATABASE_PASSWORD?: Secret | undefined }): string {
  const names = { url: 'DATABASE_URL', password: 'DATABASE_PASSWORD' };
  const schemes = ['postgresql:', 'postgres:'];
  return passwordInUrl({ names, schemes, url: config.DATABASE_URL, password: config.DATABASE_PASSWORD });
}
