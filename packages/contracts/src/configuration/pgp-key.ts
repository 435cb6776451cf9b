import { z } from 'zod';
import { descriptionSchema, plainNameSchema } from '../values/configured-names.ts';
import { secretReferenceSchema } from './secret-reference.ts';

/** A key of a partner, or with a private key an own one. Its public part is configuration; the private one is a secret. */
export const pgpKeySchema = z
  .strictObject({
    name: plainNameSchema,
    description: descriptionSchema,
    publicKey: z
      .string()
      .trim()
      .max(1_000_000)
      .regex(
        /^-----BEGIN PGP PUBLIC KEY BLOCK-----\r?\n[\s\S]+\n-----END PGP PUBLIC KEY BLOCK-----$/u,
        'must be one public key with ASCII armor, as `gpg --armor --export` prints it',
      )
      .refine((text) => text.split('-----BEGIN ').length === 2, 'must be one key')
      .describe('Public key with ASCII armor, as `gpg --armor --export` prints it'),
    privateKey: secretReferenceSchema.optional().describe('The private key with ASCII armor, for a key of your own'),
    passphrase: secretReferenceSchema.optional().describe('Of the private key'),
  })
  .refine(({ privateKey, passphrase }) => privateKey !== undefined || passphrase === undefined, {
    path: ['passphrase'],
    message: 'belongs to a privateKey',
  });

/** A key of a partner, or with a private key an own one. */
export type PgpKey = z.infer<typeof pgpKeySchema>;

/** The secrets that a key refers to, with the fields that do. */
export function secretFieldsOfKey({ privateKey, passphrase }: PgpKey): { field: string; reference: string }[] {
  return Object.entries({ privateKey, passphrase }).flatMap(([field, reference]) =>
    reference === undefined ? [] : [{ field, reference }],
  );
}
