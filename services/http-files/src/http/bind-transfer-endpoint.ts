import { Readable, type Writable } from 'node:stream';
import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import type { UserWatch } from '@waybill/directory/standing/watch-users';
import type { EndpointRequest, RequestContext } from '@waybill/http-kit/routing/endpoint-request';
import { isByteSource, type EndpointResponse } from '@waybill/http-kit/routing/endpoint-response';
import type { Authenticator, Route, RouteResponse } from '@waybill/http-kit/routing/route';
import { noteAudited } from '@waybill/outbox/refusals/refusal-book';
import type { Caller, TransferringCaller } from '../domain/access/caller.ts';
import type { BegunTransfer, RunningTransfers } from '../domain/transfers/running-transfers.ts';

type TransferContract = EndpointContract & { readonly authentication: { readonly kind: 'login-session' } };

/** Protects transfers with the caller's rights. */
export interface TransferGuard {
  readonly authenticateCaller: Authenticator<Caller>;
  readonly watch: UserWatch;
  readonly transfers: Pick<RunningTransfers, 'begin'>;
}

/**
 * Like `bindSessionEndpoint`, for requests that move content and may take long. The caller's rights are watched until
 * the response is sent; a response that is being sent when they are withdrawn is closed.
 */
export function bindTransferEndpoint<E extends TransferContract, const R extends EndpointResponse<E>>(
  endpoint: E,
  { authenticateCaller: authenticate, watch, transfers }: TransferGuard,
  handler: (request: EndpointRequest<E, TransferringCaller>) => Promise<R>,
): Route {
  const handle = async (request: EndpointRequest<E, Caller>): Promise<RouteResponse> => {
    const { principal } = request;
    const hold = watch.hold(principal);
    const { userName, sessionHandle } = principal;
    const transfer = transfers.begin({ ...begunBy(endpoint, request), userName, sessionHandle });
    const over = (): void => {
      transfer[Symbol.dispose]();
      hold[Symbol.dispose]();
    };
    try {
      const answer: RouteResponse = await handler({ ...request, principal: { ...principal, hold, transfer } });
      if (hasContent(answer)) return cutWhenWithdrawn(answer, hold.signal, over);
      over();
      return answer;
    } catch (error) {
      // The end of the upload is audited by the filebox.
      if (hold.signal.aborted) noteAudited(error);
      over();
      throw error;
    }
  };
  return { endpoint, path: endpoint.path, authenticate, handle };
}

type StartedRequest = Pick<RequestContext, 'clientAddress' | 'connection' | 'bytesBefore'> & {
  readonly params: unknown;
};

/** What is known of a transfer before it is handled. */
function begunBy(
  endpoint: EndpointContract,
  request: StartedRequest,
): Omit<BegunTransfer, 'userName' | 'sessionHandle'> {
  const { params, clientAddress, connection, bytesBefore } = request;
  const direction = endpoint.responses[200]?.body.kind === 'stream' ? 'download' : 'upload';
  return { direction, path: pathOf(params), clientAddress, connection, bytesBefore };
}

/** Null where the address names an upload by its id. */
function pathOf(params: unknown): string | null {
  if (typeof params !== 'object' || params === null || !('path' in params)) return null;
  const { path } = params;
  if (typeof path !== 'string') return null;
  return path.startsWith('/') ? path : `/${path}`;
}

function hasContent({ body }: RouteResponse): boolean {
  return body instanceof Readable || isByteSource(body);
}

function cutWhenWithdrawn(answer: RouteResponse, signal: AbortSignal, over: () => void): RouteResponse {
  const { body, afterSend } = answer;
  const cut = (stream: Readable | Writable): void => {
    const destroy = (): void => void stream.destroy(reasonOf(signal));
    if (signal.aborted) destroy();
    else signal.addEventListener('abort', destroy, { once: true });
  };
  if (body instanceof Readable) cut(body);
  return {
    ...answer,
    ...(isByteSource(body) && {
      body: {
        writeTo: async (destination: Writable) => {
          cut(destination);
          await body.writeTo(destination);
        },
      },
    }),
    afterSend: async (failure) => {
      over();
      await afterSend?.(failure);
    },
  };
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error('the right was withdrawn', { cause: reason });
}
