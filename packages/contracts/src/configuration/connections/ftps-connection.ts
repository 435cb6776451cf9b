import { z } from 'zod';
import { secretReferenceSchema } from '../secret-reference.ts';
import { certificateSchema, commonFields, hostSchema, loginNameSchema } from './connection-fields.ts';

const certificateFingerprintSchema = z
  .string()
  .trim()
  .regex(
    /^(?:[\dA-Fa-f]{2}:){31}[\dA-Fa-f]{2}$/u,
    'must be a SHA-256 fingerprint such as AB:CD:..., as openssl prints it',
  );

/** An FTP server of a partner, with TLS for its control and its data connections. There is no connection without TLS. */
export const ftpsConnectionSchema = z.strictObject({
  ...commonFields,
  type: z.literal('ftps'),
  host: hostSchema,
  port: z.int().min(1).max(65_535).optional().describe('By default 21, and 990 for `implicit`'),
  security: z
    .enum(['explicit', 'implicit'])
    .default('explicit')
    .describe('`explicit`: TLS is required by AUTH TLS before the login; `implicit`: from the first byte'),
  username: loginNameSchema,
  password: secretReferenceSchema,
  certificateAuthorities: certificateSchema.optional(),
  certificateFingerprints: z
    .array(certificateFingerprintSchema)
    .min(1)
    .max(20)
    .optional()
    .describe('The certificates that the server may have, in place of the authorities and the host name'),
});
