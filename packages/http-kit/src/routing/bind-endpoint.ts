import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import type { EndpointRequest } from './endpoint-request.ts';
import type { EndpointResponse, WrittenResponse } from './endpoint-response.ts';
import type { Route } from './route.ts';

/** Handles requests of a contract; an expected failure is a `CodedError` with one of the contract's codes. */
export type EndpointHandler<E extends EndpointContract> = (request: EndpointRequest<E>) => Promise<EndpointResponse<E>>;

/** Binds a handler to a contract. The handler receives only authenticated, authorised and valid requests. */
export function bindEndpoint<E extends EndpointContract, const R extends WrittenResponse<E>>(
  endpoint: E,
  handler: (request: EndpointRequest<E>) => Promise<R>,
): Route {
  // The server parses params, query and body with the contract's schemas, so the request has the type of E.
  return { endpoint, path: endpoint.path, handle: handler };
}
