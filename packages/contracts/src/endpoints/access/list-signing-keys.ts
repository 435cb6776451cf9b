import { jsonWebKeySetSchema } from '../../values/json-web-key-set.ts';
import { defineEndpoint } from '../endpoint.ts';

/** The public keys of the access tokens, as a JSON Web Key Set (RFC 7517). */
export const listSigningKeysEndpoint = defineEndpoint({
  id: 'listSigningKeys',
  tag: 'Access',
  method: 'GET',
  path: '/.well-known/jwks.json',
  summary: 'List the public keys that access tokens are verified with',
  authentication: { kind: 'none' },
  responses: {
    200: {
      description: 'The key set of RFC 7517',
      body: {
        kind: 'json',
        schema: jsonWebKeySetSchema,
      },
    },
  },
  errors: [],
});
