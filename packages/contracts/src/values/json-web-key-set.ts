import { z } from 'zod';

/** Public keys as a JSON Web Key Set (RFC 7517), including those of retired signing keys. */
export const jsonWebKeySetSchema = z
  .object({
    keys: z
      .array(z.record(z.string(), z.unknown()))
      .describe('Public keys, including those of retired signing keys')
      .meta({ example: [{ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid: 'k1' }] }),
  })
  .meta({ id: 'JsonWebKeySet' });
