import { z } from 'zod';

/** The result of a login. */
export const tokenPairSchema = z
  .object({
    accessToken: z
      .string()
      .describe('Send it as `Authorization: Bearer <token>`')
      .meta({ example: 'eyJhbGciOiJFUzI1NiIs...' }),
    refreshToken: z
      .string()
      .describe('Valid for one refresh; keep it secret')
      .meta({ example: 'q3Zk0Qm4v1xX0mC2cJ2y9w5b7n8a6s4d' }),
    tokenType: z.literal('Bearer').describe('How the access token is sent').meta({ example: 'Bearer' }),
    expiresIn: z.int().positive().describe('Seconds that the access token is valid').meta({ example: 900 }),
  })
  .meta({ id: 'TokenPair' });
