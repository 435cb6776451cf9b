import { passwordInUrl } from './password-in-url.ts';
import { type Secret, secretSchema } from './secret.ts';

/** The settings of a service that uses Redis. */
export const redisConfigShape = {
  REDIS_URL: secretSchema.describe('Redis or Valkey, as redis://user:password@host:port/database'),
  REDIS_PASSWORD: secretSchema.optional().describe('Password for an address in REDIS_URL that has none'),
};

/**
 * The address of Redis with its password.
 * @throws CodedError `configuration_invalid` if the address is invalid, or the password is given twice
 */
export function redisUrlOf(config: { REDIS_URL: Secret; REDIS_PASSWORD?: Secret | undefined }): string {
  const names = { url: 'REDIS_URL', password: 'REDIS_PASSWORD' };
  const schemes = ['redis:', 'rediss:'];
  return passwordInUrl({ names, schemes, url: config.REDIS_URL, password: config.REDIS_PASSWORD });
}
