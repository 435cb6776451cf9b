import { z } from 'zod';

/** Public keys as a JSON Web Key Set (RFC 7517), those of retired signing keys among them. */
export const jsonWebKeySetSchema = z
  .object({
    keys: z
      .array(z.record(z.string(), z.unknown()))
      .describe('Public keys, those of retired signing keys among them')
      .meta({ example: [{ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid: 'k1' }] }),
  })
  .meta({ id: 'JsonWebKeySet' });
