import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  clientConnectionSchema,
  type ConnectionOf,
} from '@waybill/contracts/configuration/connections/client-connection';
import { Secret } from '@waybill/service-kit/config/secret';
import { createDestinationGuard, type DestinationRules } from '../src/address/destination-guard.ts';
import { createHttpClient, type HttpClient } from '../src/http/http-client.ts';
import type { HttpRequest } from '../src/http/http-request.ts';
import { createCircuitBreaker } from '../src/limits/circuit-breaker.ts';

/** A request that a server under test has received. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** Of the connection. */
  readonly clientPort: number | undefined;
}

/** A partner's HTTP server on the loopback interface. */
export interface TestHttpServer extends AsyncDisposable {
  readonly port: number;
  readonly received: ReceivedRequest[];
}

/** Starts one that reads each request, then answers by `answer`. */
export async function startHttpServer(answer: RequestListener): Promise<TestHttpServer> {
  const received: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      received.push({ method, url, headers, body: Buffer.concat(chunks), clientPort: request.socket.remotePort });
      answer(request, response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A client of a connection with these settings, and these rules for destinations. */
export function testClient(
  settings: Readonly<Record<string, unknown>>,
  rules: Partial<DestinationRules> = { allowedNetworks: ['127.0.0.0/8'] },
): HttpClient {
  const parsed = clientConnectionSchema.parse({ name: 'acme', type: 'http', ...settings });
  const guard = createDestinationGuard({ allowedHosts: ['*'], allowedNetworks: [], ...rules });
  return createHttpClient({
    guard,
    breaker: createCircuitBreaker('acme'),
    connection: parsed as ConnectionOf<'http'>,
    keepMs: 1_000,
    readSecrets: () =>
      Promise.resolve(settings['signingKey'] === undefined ? {} : { signingKey: new Secret(signingKey) }),
  });
}

/** The key of signed requests. */
export const signingKey = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** A request with these members. */
export function testRequest(members: Partial<HttpRequest> = {}): HttpRequest {
  return { method: 'GET', path: '', headers: {}, idempotencyKey: 'step-1', ...members };
}

/** Sends a request; resolves with its status and its body, or with the code of the error. */
export async function outcomeOf(client: HttpClient, request: HttpRequest, signal = AbortSignal.timeout(20_000)) {
  try {
    using exchange = await client.send(request, signal);
    const chunks: Buffer[] = [];
    for await (const chunk of exchange.content()) chunks.push(chunk);
    return { status: exchange.status, body: Buffer.concat(chunks).toString() };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { error: 'code' in error ? error.code : error.name, message: error.message };
  }
}
