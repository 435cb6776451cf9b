import { z } from 'zod';

/** The name of a secret: letters, digits, dots, dashes and underscores. */
export const secretNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/u, 'has 1 to 128 letters, digits, dots, dashes or underscores');

/** The largest secret, in UTF-8: far more than a password, a token or a key needs. */
export const secretBytesAtMost = 64 * 1024;

const scheme = 'secret://';

/**
 * A reference to a secret, `secret://<name>`, parsed to the name. A configuration holds references alone: never a secret
 * itself.
 */
export const secretReferenceSchema = z
  .string()
  .refine(
    (text) => text.startsWith(scheme) && secretNameSchema.safeParse(text.slice(scheme.length)).success,
    'must be a reference such as secret://name, never the secret itself; `waybill secret set` stores one',
  )
  .describe('`secret://<name>`: a secret that `waybill secret set` has stored');

/** The name in a reference that `secretReferenceSchema` has accepted. */
export function secretNameIn(reference: string): string {
  return reference.slice(scheme.length);
}
