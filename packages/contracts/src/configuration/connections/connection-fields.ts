import { z } from 'zod';
import { descriptionSchema, plainNameSchema } from '../../values/configured-names.ts';

/** A number of seconds within limits. */
export const seconds = (least: number, most: number, fallback: number) =>
  z.number().min(least).max(most).default(fallback);

/** What every client connection has. */
export const commonFields = {
  name: plainNameSchema,
  description: descriptionSchema,
  enabled: z.boolean().default(true).describe('Steps that use a disabled connection fail'),
  maxConnections: z.int().min(1).max(1_000).default(4).describe('Open at a time, in each worker process'),
  waitSeconds: seconds(0, 3_600, 60).describe('How long a step waits for a free connection before it fails'),
  connectTimeoutSeconds: seconds(0.1, 300, 15).describe('For the name, the connection and the login together'),
  idleTimeoutSeconds: seconds(0.1, 3_600, 60).describe(
    'How long the other side may be silent in the middle of its work',
  ),
};

/** The host of a server. */
export const hostSchema = z
  .string()
  .min(1)
  .max(253)
  .regex(
    /^(?:[A-Za-z0-9._-]+|\[?[0-9A-Fa-f:.]+\]?)$/u,
    'must be a host name or an IP address, without scheme and port',
  );

/** The port of a server. */
export const portSchema = (fallback: number) => z.int().min(1).max(65_535).default(fallback);

/** Authorities in PEM format. */
export const certificateSchema = z
  .string()
  .regex(/-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----/u, 'must be certificates in PEM format')
  .max(1_000_000)
  .describe('Authorities (PEM) that are trusted in place of those of Node.js');

/** The name of a login. */
export const loginNameSchema = z.string().min(1).max(320);
