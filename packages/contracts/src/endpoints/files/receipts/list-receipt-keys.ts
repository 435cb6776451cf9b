import { jsonWebKeySetSchema } from '../../../values/json-web-key-set.ts';
import { defineEndpoint } from '../../endpoint.ts';

/** Extension of the interface: the public keys of the receipts, as a JSON Web Key Set (RFC 7517). */
export const listReceiptKeysEndpoint = defineEndpoint({
  id: 'listReceiptKeys',
  tag: 'Files: receipts',
  method: 'GET',
  path: '/2.0/.well-known/jwks.json',
  summary: 'List the public keys that receipts are verified with',
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
