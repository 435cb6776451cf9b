import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import type { EndpointRequest, RequestContext } from './endpoint-request.ts';
import type { ResponseFrame } from './endpoint-response.ts';

/** A request whose contract is known only at run time. */
export type RouteRequest = Omit<EndpointRequest<EndpointContract, unknown>, 'params' | 'query' | 'body'> &
  Readonly<Record<'params' | 'query' | 'body', unknown>>;

/** A response whose contract is known only at run time. */
export type RouteResponse = ResponseFrame & { readonly status: number; readonly body?: unknown };

/** Identifies the caller. @throws CodedError such as `not_authenticated` */
export type Authenticator<P> = (context: RequestContext) => Promise<P>;

/** A contract with its handler. `path` is the contract's, unless the service serves it below a prefix. */
export interface Route {
  readonly endpoint: EndpointContract;
  readonly path: string;
  /** Headers of every response at this address, including failures. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Set if the service itself authenticates callers. */
  readonly authenticate?: Authenticator<unknown>;
  handle(request: RouteRequest): Promise<RouteResponse>;
}
