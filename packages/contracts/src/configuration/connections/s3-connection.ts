import { z } from 'zod';
import { secretReferenceSchema } from '../secret-reference.ts';
import { certificateSchema, commonFields } from './connection-fields.ts';

/**
 * A bucket of a partner, at AWS or at another server with the S3 interface. Its credentials are always secrets: those of the
 * machine are never used.
 */
export const s3ConnectionSchema = z.strictObject({
  ...commonFields,
  type: z.literal('s3'),
  endpoint: z
    .url({ protocol: /^https?$/u, error: 'must be an address such as https://s3.example.org' })
    .refine((text) => !/[?#@]/u.test(text), 'must not have a query, a fragment or a login')
    .optional()
    .describe('Address of the server; by default that of AWS in the region'),
  region: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/u, 'must be the name of a region, such as eu-central-1')
    .default('us-east-1')
    .describe('Requests are signed for it'),
  bucket: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$/u, 'must be the name of a bucket')
    .describe('Name of the bucket'),
  pathStyle: z
    .boolean()
    .default(false)
    .describe('The bucket is in the path, not in the host name; most servers other than AWS need it'),
  accessKeyId: secretReferenceSchema,
  secretAccessKey: secretReferenceSchema,
  sessionToken: secretReferenceSchema.optional().describe('For temporary credentials'),
  certificateAuthorities: certificateSchema.optional(),
});
