import { z } from 'zod';
import { anyPortSchema, cidrListSchema } from './value-schemas.ts';

/** The settings of every service. Each service adds its own `PORT`. */
export const serviceConfigShape = {
  HOST: z.string().default('127.0.0.1').describe('Address that the HTTP interface listens on'),
  PUBLISHED_ADDRESS: z
    .string()
    .optional()
    .describe(
      'Address at which the service can be reached if it runs in a container; decides whether passwords of the demo are refused',
    ),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])
    .default('info')
    .describe('Minimum level of log lines'),
  MANAGER_NAME: z.string().default('manager1').describe('Name of the platform in audit records'),
  SHUTDOWN_TIMEOUT_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .default(20)
    .describe('Time that a stop may take before the process exits anyway'),
  WATCHDOG_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(3_600)
    .default(10)
    .describe('A process whose event loop is blocked for this long exits, to be restarted; 0 disables this'),
  DRAIN_SECONDS: z.coerce
    .number()
    .min(0)
    .max(600)
    .default(0)
    .describe(
      'Time between the signal to stop and the stop, during which `/health/ready` returns 503 and requests are still served',
    ),
  OPERATIONS_HOST: z.string().default('127.0.0.1').describe('Address that `OPERATIONS_PORT` is opened on'),
  OPERATIONS_PORT: anyPortSchema
    .optional()
    .describe('Separate port of health and metrics, over plain HTTP; required if `HOST` is not a loopback address'),
  TLS_CERT_FILE: z
    .string()
    .optional()
    .describe(
      'Certificate of the HTTP interface, then those of its issuers (PEM file); if set, the interface uses HTTPS',
    ),
  TLS_KEY_FILE: z.string().optional().describe('Private key of `TLS_CERT_FILE` (PEM file without a passphrase)'),
  TLS_RELOAD_SECONDS: z.coerce
    .number()
    .min(0.05)
    .max(86_400)
    .default(10)
    .describe('How often the TLS files are read; a changed pair is used for new connections'),
  TRUSTED_PROXIES: cidrListSchema
    .default(['127.0.0.0/8', '::1/128'])
    .describe(
      'Networks of the proxies and load balancers that are trusted to report the address, the scheme and the host of a client, separated by commas',
    ),
  TRUSTED_PROXY_HEADERS: z
    .enum(['x-forwarded', 'forwarded'])
    .default('x-forwarded')
    .describe(
      'Headers in which they report them: `X-Forwarded-For`, `-Proto` and `-Host`, or `Forwarded` (RFC 7239); the others are ignored',
    ),
};
