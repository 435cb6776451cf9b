import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import type { EndpointRequest } from './endpoint-request.ts';
import type { EndpointResponse } from './endpoint-response.ts';
import type { Authenticator, Route } from './route.ts';

type SessionContract = EndpointContract & { readonly authentication: { readonly kind: 'login-session' } };

/** Handles requests of a contract whose callers are `P`. */
export type SessionHandler<E extends SessionContract, P> = (
  request: EndpointRequest<E, P>,
) => Promise<EndpointResponse<E>>;

/**
 * Binds a handler to a contract whose callers authenticate with a login session. `authenticate` runs before
 * anything in the request is validated; its result is the handler's `principal`.
 */
export function bindSessionEndpoint<E extends SessionContract, P, const R extends EndpointResponse<E>>(
  endpoint: E,
  authenticate: Authenticator<P>,
  handler: (request: EndpointRequest<E, P>) => Promise<R>,
): Route {
  // As in bindEndpoint: the server parses with the contract's schemas, and the principal is the result of
  // `authenticate`.
  return { endpoint, path: endpoint.path, authenticate, handle: handler };
}
