import type { TokenIssuer } from '@waybill/access/token-issuer';
import type { listSigningKeysEndpoint } from '@waybill/contracts/endpoints/access/list-signing-keys';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';

/** The public keys of the access tokens. */
export function createListSigningKeysHandler(parts: {
  issuer: TokenIssuer;
}): EndpointHandler<typeof listSigningKeysEndpoint> {
  return () =>
    Promise.resolve({
      status: 200,
      headers: { 'cache-control': 'public, max-age=60' },
      body: { keys: parts.issuer.jwks().keys.map((key) => ({ ...key })) },
    });
}
