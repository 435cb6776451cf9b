import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import type { Correlation } from '@waybill/service-kit/telemetry/correlation';
import type { RequestOrigin } from '../forwarded/request-origin.ts';

/** The fields of a caller in log lines: `userName`, and `sessionId` of a login session or `apiKey`. */
export type Caller = Pick<Correlation, 'userName' | 'sessionId' | 'apiKey'>;

/** One request with its response, from the first header to the last byte. */
export interface Exchange {
  readonly requestId: string;
  readonly origin: RequestOrigin;
  readonly startedAtMs: number;
  readonly signal: AbortSignal;
  /** What its connection had transferred before; the beginning of the body may be part of it. */
  readonly bytesBefore: { readonly read: number; readonly written: number };
  /** The client waits for `100 Continue`, which has not been sent yet. */
  awaitsContinue: boolean;
  /** The percent-encoding of the address is invalid. */
  hasBrokenAddress: boolean;
  /** Set once the address is recognised. */
  endpoint: EndpointContract | undefined;
  /** Empty until the caller is known. */
  caller: Caller;
}

const exchanges = new WeakMap<IncomingMessage, Exchange>();

/** Begins the exchange of a request. Its signal fires when the connection closes before the response is complete. */
export function beginExchange(
  request: IncomingMessage,
  response: ServerResponse,
  { origin, awaitsContinue }: Pick<Exchange, 'origin' | 'awaitsContinue'>,
): Exchange {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  const exchange: Exchange = {
    requestId: requestIdOf(request.headers['x-request-id']),
    origin,
    startedAtMs: performance.now(),
    signal: controller.signal,
    bytesBefore: { read: request.socket.bytesRead, written: request.socket.bytesWritten },
    awaitsContinue,
    hasBrokenAddress: false,
    endpoint: undefined,
    caller: {},
  };
  exchanges.set(request, exchange);
  return exchange;
}

/** The exchange of a request. */
export function exchangeOf(request: IncomingMessage): Exchange {
  const exchange = exchanges.get(request);
  if (exchange === undefined) throw new Error('the request has no exchange');
  return exchange;
}

/** The id that a client or proxy gave the request in `X-Request-Id` if it is well-formed, otherwise a new one. */
function requestIdOf(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && /^[\w.:-]{8,128}$/u.test(header) ? header : randomUUID();
}
