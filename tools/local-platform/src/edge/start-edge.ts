import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { ServiceName } from '../configuration/service-name.ts';
import { answerUnreadable } from './answer-unreadable.ts';
import { sendProblem } from './edge-failure.ts';
import { serviceFor } from './edge-routes.ts';
import { forwardRequest } from './forward-request.ts';

/** Where the edge listens and where its services are, all on loopback. */
export interface EdgeOptions {
  port: number;
  servicePorts: Readonly<Record<ServiceName, number>>;
  /**
   * A request whose headers are not complete after this time gets 408. The time begins with the connection or with the
   * first byte of a further request, and is checked every 5 seconds.
   */
  headersTimeoutMs?: number;
  /** A connection is closed this long after its last response (Node adds a second). */
  keepAliveTimeoutMs?: number;
}

/** The defaults: headers as in the services, idle connections as in HAProxy. */
export const edgeTimeouts = { headersTimeoutMs: 15_000, keepAliveTimeoutMs: 60_000 } as const;

/** How often Node checks whether the headers of a request are late. */
const longestCheckIntervalMs = 5_000;

/**
 * Gives the services one address, like the load balancer of an installation: routes by path, streams in both
 * directions, and passes on the client's real address. Disposing of it ends open connections.
 */
export async function startEdge(options: EdgeOptions): Promise<AsyncDisposable & { port: number }> {
  const { port, servicePorts } = options;
  const { headersTimeoutMs = edgeTimeouts.headersTimeoutMs, keepAliveTimeoutMs = edgeTimeouts.keepAliveTimeoutMs } =
    options;
  const agent = new Agent({ keepAlive: true });
  const limits = {
    // A body may take any time: the service ends a transfer that stalls. Node turns this limit off along with
    // `requestTimeout` unless it is given.
    requestTimeout: 0,
    headersTimeout: headersTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.min(longestCheckIntervalMs, headersTimeoutMs),
    // Addresses and headers may be as large as the services accept them.
    maxHeaderSize: 32 * 1024,
  };
  const serve = (req: IncomingMessage, res: ServerResponse, awaitsContinue: boolean): void => {
    const service = serviceFor(req.url ?? '/');
    if ((req.headersDistinct['host']?.length ?? 0) > 1) {
      // An intermediary may have used the other one (RFC 9112, section 3.2).
      sendProblem(res, { status: 400, code: 'validation_failed', detail: 'host: must be present exactly once' });
    } else if (isVisit(req)) {
      res.writeHead(302, { location: '/ui/', 'content-length': '0' }).end();
    } else if (service === undefined) {
      sendProblem(res, { status: 404, code: 'route_not_found', detail: `No service answers at ${req.url}` });
    } else {
      forwardRequest(req, res, { service, port: servicePorts[service], agent, awaitsContinue });
    }
  };
  const server = createServer(limits, (req: IncomingMessage, res: ServerResponse) => serve(req, res, false));
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => serve(req, res, true));
  // An unknown expectation is ignored (RFC 9110 section 10.1.1).
  server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => serve(req, res, false));
  server.on('clientError', answerUnreadable);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      agent.destroy();
    },
  };
}

/** A browser is redirected to the partners' files, as by deploy/haproxy/haproxy.cfg. */
function isVisit({ method = '', url = '' }: IncomingMessage): boolean {
  return ['GET', 'HEAD'].includes(method) && url.replace(/\?.*$/su, '') === '/';
}
