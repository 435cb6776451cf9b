import { Readable, type Writable } from 'node:stream';
import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import type { UserHold } from '@waybill/directory/standing/user-hold';
import type { UserWatch } from '@waybill/directory/standing/watch-users';
import type { EndpointRequest } from '@waybill/http-kit/routing/endpoint-request';
import { isByteSource, type EndpointResponse } from '@waybill/http-kit/routing/endpoint-response';
import type { Authenticator, Route, RouteResponse } from '@waybill/http-kit/routing/route';
import { noteAudited } from '@waybill/outbox/refusals/refusal-book';
import type { Caller, TransferringCaller } from '../domain/access/caller.ts';

type TransferContract = EndpointContract & { readonly authentication: { readonly kind: 'login-session' } };

/** Protects transfers with the caller's rights. */
export interface TransferGuard {
  readonly authenticateCaller: Authenticator<Caller>;
  readonly watch: UserWatch;
}

/**
 * Like `bindSessionEndpoint`, for requests that move content and may take long. The caller's rights are watched until
 * the response is sent; a response that is being sent when they are withdrawn is closed.
 */
export function bindTransferEndpoint<E extends TransferContract, const R extends EndpointResponse<E>>(
  endpoint: E,
  { authenticateCaller: authenticate, watch }: TransferGuard,
  handler: (request: EndpointRequest<E, TransferringCaller>) => Promise<R>,
): Route {
  const handle = async (request: EndpointRequest<E, Caller>): Promise<RouteResponse> => {
    const { principal } = request;
    const hold = watch.hold(principal);
    try {
      const answer: RouteResponse = await handler({ ...request, principal: { ...principal, hold } });
      if (hasContent(answer)) return cutWhenWithdrawn(answer, hold);
      hold[Symbol.dispose]();
      return answer;
    } catch (error) {
      // The end of the upload is audited by the filebox.
      if (hold.signal.aborted) noteAudited(error);
      hold[Symbol.dispose]();
      throw error;
    }
  };
  return { endpoint, path: endpoint.path, authenticate, handle };
}

function hasContent({ body }: RouteResponse): boolean {
  return body instanceof Readable || isByteSource(body);
}

function cutWhenWithdrawn(answer: RouteResponse, hold: UserHold): RouteResponse {
  const { body, afterSend } = answer;
  const { signal } = hold;
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
      hold[Symbol.dispose]();
      await afterSend?.(failure);
    },
  };
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error('the right was withdrawn', { cause: reason });
}
