import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import type { EndpointRequest } from './endpoint-request.ts';
import type { EndpointResponse } from './endpoint-response.ts';
import type { Authenticator, Route } from './route.ts';

type SessionContract = EndpointContract & { readonly authentication: { readonly kind: 'login-session' } };

/** Answers requests of a contract whose callers are `P`. */
export type SessionHandler<E extends SessionContract, P> = (
  request: EndpointRequest<E, P>,
) => Promise<EndpointResponse<E>>;

/**
 * Puts a handler behind a contract whose callers are known by a login session. `authenticate` runs before anything of the
 * request is validated, and what it answers is the handler's `principal`.
 */
export function bindSessionEndpoint<E extends SessionContract, P, const R extends EndpointResponse<E>>(
  endpoint: E,
  authenticate: Authenticator<P>,
  handler: (request: EndpointRequest<E, P>) => Promise<R>,
): Route {
  // As in bindEndpoint: the server parses with the contract's schemas, and the principal is what `authenticate` made.
  return { endpoint, path: endpoint.path, authenticate, handle: handler };
}
