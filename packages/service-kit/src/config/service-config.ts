import { z } from 'zod';
import { cidrListSchema } from './value-schemas.ts';

/** What every service is told. Each service adds its own `PORT`. */
export const serviceConfigShape = {
  HOST: z.string().default('127.0.0.1').describe('Address that the HTTP interface listens on'),
  PUBLISHED_ADDRESS: z
    .string()
    .optional()
    .describe(
      'Address at which others reach what listens here, for a service in a container; decides whether passwords of the demo are refused',
    ),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])
    .default('info')
    .describe('Least level that is logged'),
  MANAGER_NAME: z.string().default('manager1').describe('Name of the platform in audit records'),
  SHUTDOWN_TIMEOUT_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .default(20)
    .describe('Time that a stop may take before the process gives up what is left'),
  WATCHDOG_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(3_600)
    .default(10)
    .describe('A process whose event loop stands still for this long ends itself, to be replaced; 0 turns that off'),
  TRUSTED_PROXIES: cidrListSchema
    .default(['127.0.0.0/8', '::1/128'])
    .describe(
      'Networks of the proxies and load balancers that are believed about the address, the scheme and the host of a client, separated by commas',
    ),
  TRUSTED_PROXY_HEADERS: z
    .enum(['x-forwarded', 'forwarded'])
    .default('x-forwarded')
    .describe(
      'Headers in which they say so: `X-Forwarded-For`, `-Proto` and `-Host`, or `Forwarded` (RFC 7239); the others are ignored',
    ),
};
