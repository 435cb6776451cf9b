import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { KeyPair } from '@waybill/certificates/key-pair';
import { describeClient } from '@waybill/service-kit/network/describe-client';
import { type CausingClient, withClient, withCorrelation } from '@waybill/service-kit/telemetry/correlation';
import type { Health } from '@waybill/service-kit/telemetry/health';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import type { RequestHandler } from 'express';
import { beginExchange } from '../exchange/exchange.ts';
import { createHttpEvents } from '../exchange/http-events.ts';
import { type FormatError, formatProblem } from '../failures/format-problem.ts';
import { createOriginReader, receivedRequest, type RequestOrigin } from '../forwarded/request-origin.ts';
import type { BearerAuthenticator } from '../routing/bearer-authenticator.ts';
import type { NoteRefusal } from '../routing/refused-request.ts';
import type { Route } from '../routing/route.ts';
import { answerUnreadable } from './answer-unreadable.ts';
import { createApp } from './create-app.ts';
import { drainRequest } from './drain-request.ts';
import { guardAgainstStalls } from './guard-against-stalls.ts';
import { headerBytesAtMost, type HttpSettings } from './http-settings.ts';
import { type Serve, serveInTurn } from './serve-in-turn.ts';
import { listenForOperations } from './serve-operations.ts';
import { createTlsServer, useTlsFiles } from './tls-listener.ts';

/**
 * Connections that wait to be accepted: the maximum of Linux (`net.core.somaxconn`). With fewer, a burst of clients has
 * some of its connections reset.
 */
const connectionsInBacklog = 4_096;

/** The parts of a server. */
export interface HttpServerOptions extends HttpSettings {
  readonly routes: readonly Route[];
  /** `bearer` is required if an endpoint requires bearer tokens. */
  readonly authenticators?: { readonly bearer?: BearerAuthenticator };
  /** The form of failures; problem details by default. */
  readonly formatError?: FormatError;
  /** Called for each request to a known address that is refused, before the response is sent. */
  readonly refused?: NoteRefusal;
  /** What serves the pages of a web application, besides the routes. */
  readonly webApplication?: RequestHandler | undefined;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /**
   * A client that moves less than 1 KiB in this time is disconnected; 60 s by default. A whole transfer may take
   * any time.
   */
  readonly stallTimeoutMs?: number;
  /** The maximum time for the headers of a request, against slow attacks; 15 s by default. */
  readonly headersTimeoutMs?: number;
  /** When the server stops, requests in progress may take this long to end; 10 s by default. */
  readonly drainTimeoutMs?: number;
}

/** A server that listens on request. Disposing of it lets requests in progress finish. */
export interface HttpServer extends AsyncDisposable {
  /** Port 0 means any free port. */
  listen(address: { host: string; port: number }): Promise<{ port: number }>;
  /** The certificate in use; `undefined` before the server listens, and without TLS. */
  certificate(): KeyPair | undefined;
}

/** Longer than the idle timeout of usual load balancers, so that they close the connection. */
const keepAliveTimeoutMs = 75_000;

/** An HTTP or HTTPS server for a service's routes, with `/health/live`, `/health/ready` and `/metrics` beside them or apart. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { routes, authenticators, formatError = formatProblem, health, metrics, logger, trustedProxies } = options;
  const { tls, operations } = options;
  const { stallTimeoutMs = 60_000, headersTimeoutMs = 15_000 } = options;
  const events = createHttpEvents(logger, metrics);
  const reported = { health, metrics, events, hasOperations: operations === undefined };
  const { refused, webApplication } = options;
  const app = createApp({ routes, bearer: authenticators?.bearer, formatError, refused, webApplication, ...reported });
  const originOf = createOriginReader(trustedProxies);
  const limits = {
    headersTimeout: headersTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    // Uploads may take hours: a request is ended for a stall, not for its duration.
    requestTimeout: 0,
    connectionsCheckingInterval: Math.min(5_000, headersTimeoutMs),
    maxHeaderSize: headerBytesAtMost,
  };
  const tlsServer = tls && createTlsServer(limits);
  const server = tlsServer ?? createServer(limits);
  const resources = new AsyncDisposableStack();
  let pair: { readonly current: KeyPair } | undefined;
  const serve: Serve = (request, response, awaitsContinue) => {
    const origin = originOf(receivedRequest(request));
    const { requestId } = beginExchange(request, response, { origin, awaitsContinue });
    const stopWatch = guardAgainstStalls(request, response, stallTimeoutMs);
    drainRequest(request, response);
    if (!server.listening) response.setHeader('Connection', 'close');
    response.once('close', () => {
      stopWatch();
      // The connection of a response that is sent while the server stops must be closed here.
      setImmediate(() => server.listening || server.closeIdleConnections());
    });
    withClient(clientOf(request, origin), () => withCorrelation({ requestId }, () => void app(request, response)));
  };
  serveRequests(server, serveInTurn(serve));
  server.on('clientError', (error, socket) => answerUnreadable(error, socket, formatError));

  return {
    listen: async ({ host, port }) => {
      // Stopped last: health and metrics can be read while requests end.
      if (operations) resources.use(await listenForOperations({ health, metrics }, operations));
      if (tls && tlsServer) pair = resources.use(await useTlsFiles(tlsServer, { files: tls, logger, metrics }));
      resources.defer(() => closeGently(server, options.drainTimeoutMs ?? 10_000));
      server.listen({ port, host, backlog: connectionsInBacklog });
      await once(server, 'listening');
      return { port: (server.address() as AddressInfo).port };
    },
    certificate: () => pair?.current,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** The client as the audit log names it. */
function clientOf({ headers }: IncomingMessage, { address, port }: RequestOrigin): CausingClient {
  const client = describeClient(headers['user-agent']);
  return { address, ...(port !== undefined && { port }), ...(client !== undefined && { client }) };
}

async function closeGently(server: Server, drainTimeoutMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  const giveUp = setTimeout(() => server.closeAllConnections(), drainTimeoutMs);
  await closed;
  clearTimeout(giveUp);
}

/** Any expectation other than `100-continue` is ignored (RFC 9110 section 10.1.1). */
function serveRequests(server: Server, serve: Serve): void {
  const atOnce = (request: IncomingMessage, response: ServerResponse): void => serve(request, response, false);
  server.on('request', atOnce);
  server.on('checkExpectation', atOnce);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => serve(request, response, true));
}
