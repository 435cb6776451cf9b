import { z } from 'zod';
import { listSchema } from './value-schemas.ts';

/** The settings of a service that accepts bearer tokens. */
export const accessConfigShape = {
  ACCESS_JWKS_URLS: listSchema
    .default(['http://127.0.0.1:8083/.well-known/jwks.json'])
    .describe('Addresses of the public keys of the token issuers, separated by commas'),
  ACCESS_ISSUER: z.string().default('waybill').describe('Issuer (`iss`) of the access tokens'),
  ACCESS_AUDIENCE: z.string().default('waybill').describe('Audience (`aud`) of the access tokens'),
};
