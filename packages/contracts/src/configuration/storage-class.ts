import { z } from 'zod';
import { plainNameSchema } from '../values/configured-names.ts';

/** The built-in class: blobs below the folder `BLOB_DIR` of the services. */
export const localStorageClass = 'local';

const nameSchema = plainNameSchema.refine((name) => name !== localStorageClass, {
  message: 'is the name of the built-in class',
});

const localSchema = z.strictObject({
  name: nameSchema,
  type: z.literal('local'),
  folder: z
    .string()
    .regex(/^\/[^\0]+$/u, 'is not an absolute path')
    .describe('The same for all services'),
});

const s3Schema = z.strictObject({
  name: nameSchema,
  type: z.literal('s3'),
  bucket: z.string().regex(/^[\w.-]{3,63}$/u, 'must have 3 to 63 letters, digits, dots, dashes or underscores'),
  region: z.string().min(1).max(64).default('us-east-1'),
  endpoint: z
    .url({ protocol: /^https?$/u, error: 'must be an address such as https://s3.example.org' })
    .optional()
    .describe('Default: AWS'),
  prefix: z
    .string()
    .regex(/^(?:[\w.-]+\/)*[\w.-]*$/u, 'must be the beginning of object names, such as waybill/files-')
    .max(512)
    .default('')
    .describe('Of all object names; used by this platform only'),
  pathStyle: z.boolean().default(false).describe('Put the bucket into the path of addresses, not into the host name'),
});

/** A place where file contents are stored. It has no credentials: the services read those from their environment. */
export const storageClassSchema = z.discriminatedUnion('type', [localSchema, s3Schema]);

/** A storage class as it is shown: the built-in one is among them, whose folder the services have. */
export const shownStorageClassSchema = z.discriminatedUnion('type', [
  localSchema.extend({
    name: plainNameSchema,
    folder: localSchema.shape.folder.optional().describe('The same for all services; absent: their `BLOB_DIR`'),
  }),
  s3Schema.extend({ name: plainNameSchema }),
]);

/** A place where file contents are stored. */
export type StorageClass = z.infer<typeof storageClassSchema>;
