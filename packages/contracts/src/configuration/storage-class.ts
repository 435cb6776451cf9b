import { z } from 'zod';
import { plainNameSchema } from './names.ts';

/** The class that is always there: blobs below the folder `BLOB_DIR` of the services. */
export const localStorageClass = 'local';

const nameSchema = plainNameSchema.refine((name) => name !== localStorageClass, {
  message: 'is the name of the class that is always there',
});

/**
 * A place where the bytes of files are kept. No credentials are part of it: the services find those in their
 * environment.
 */
export const storageClassSchema = z.discriminatedUnion('type', [
  z.strictObject({
    name: nameSchema,
    type: z.literal('local'),
    folder: z
      .string()
      .regex(/^\/[^\0]+$/u, 'is not an absolute path')
      .describe('The same for all services'),
  }),
  z.strictObject({
    name: nameSchema,
    type: z.literal('s3'),
    bucket: z.string().regex(/^[\w.-]{3,63}$/u, 'must have 3 to 63 letters, digits, dots, dashes or underscores'),
    region: z.string().min(1).max(64).default('us-east-1'),
    endpoint: z
      .url({ protocol: /^https?$/u, error: 'must be an address such as https://s3.example.org' })
      .optional()
      .describe('AWS itself when absent'),
    prefix: z
      .string()
      .regex(/^(?:[\w.-]+\/)*[\w.-]*$/u, 'must be the beginning of object names, such as waybill/files-')
      .max(512)
      .default('')
      .describe('Of all object names; belongs to this platform alone'),
    pathStyle: z.boolean().default(false).describe('The bucket in the path of addresses, not in the host name'),
  }),
]);

/** A place where the bytes of files are kept. */
export type StorageClass = z.infer<typeof storageClassSchema>;
