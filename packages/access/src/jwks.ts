import { z } from 'zod';

/** A public key as it is published (RFC 7517). Foreign sets may also have keys of other types, which are ignored. */
export const publicJwkSchema = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string().min(1),
  y: z.string().min(1),
  kid: z.string().min(1),
  use: z.literal('sig').optional(),
  alg: z.literal('ES256').optional(),
});

/** A public key for ES256. */
export type PublicJwk = z.infer<typeof publicJwkSchema>;

/** The response of `/.well-known/jwks.json`. */
export interface Jwks {
  readonly keys: readonly PublicJwk[];
}

/** The ES256 keys of a published set. @throws ZodError if it is not a key set */
export function parseJwks(document: unknown): PublicJwk[] {
  const { keys } = z.object({ keys: z.array(z.unknown()) }).parse(document);
  return keys.flatMap((key) => {
    const parsed = publicJwkSchema.safeParse(key);
    return parsed.success ? [parsed.data] : [];
  });
}
