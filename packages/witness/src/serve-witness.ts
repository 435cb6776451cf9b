import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Witness, WitnessAnswer } from './create-witness.ts';

/** A request with the longest proof and 64 signatures has less, unless they are those of unknown long keys. */
const bodyBytesAtMost = 128 * 1024;
/** A larger body is read up to here, because many clients read no response before they have sent their request. */
const discardedBytesAtMost = 1024 * 1024;
/** Requests that are worked on at the same time; others are refused at once. */
const requestsAtMost = 64;
const connectionsAtMost = 512;
/** A request is short: a client that needs longer for it is disconnected. */
const requestTimeoutMs = 10_000;

/** A witness that listens. */
export interface WitnessServer extends AsyncDisposable {
  readonly port: number;
}

/** Serves `POST /add-checkpoint` and `GET /<origin hash>/checkpoint` (C2SP tlog-witness) over HTTP. */
export async function serveWitness(
  witness: Witness,
  options: { host: string; port: number; timeoutMs?: number; onFailure(error: unknown): void },
): Promise<WitnessServer> {
  const { host, port, timeoutMs = requestTimeoutMs, onFailure } = options;
  const limits = { requestTimeout: timeoutMs, headersTimeout: timeoutMs, keepAliveTimeout: 75_000 };
  let running = 0;
  const server = createServer(
    { ...limits, connectionsCheckingInterval: Math.min(1_000, timeoutMs), maxHeaderSize: 8 * 1024 },
    (request, response) => {
      if (running >= requestsAtMost) {
        send(response, { status: 503, body: 'Too many requests\n', headers: { 'retry-after': '1' } });
        return;
      }
      running += 1;
      answer(witness, request)
        .then((found) => send(response, found))
        .catch((error: unknown) => {
          // A client that ends its connection is no failure.
          if (request.destroyed && !request.complete) return;
          onFailure(error);
          send(response, { status: 500, body: 'The witness could not store the checkpoint\n' });
        })
        .finally(() => {
          running -= 1;
        });
    },
  );
  server.maxConnections = connectionsAtMost;
  server.listen({ host, port });
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeIdleConnections();
      const giveUp = setTimeout(() => server.closeAllConnections(), timeoutMs);
      await once(server, 'close');
      clearTimeout(giveUp);
    },
  };
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly mediaType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function answer(witness: Witness, request: IncomingMessage): Promise<Answer | WitnessAnswer> {
  const [path = ''] = (request.url ?? '').split('?', 1);
  const originHash = /^\/([\da-f]{64})\/checkpoint$/u.exec(path)?.[1];
  const method = path === '/add-checkpoint' ? 'POST' : 'GET';
  if (path !== '/add-checkpoint' && originHash === undefined) return { status: 404, body: 'There is nothing here\n' };
  if (request.method !== method) return { status: 405, body: `Send a ${method}\n`, headers: { allow: method } };
  if (originHash !== undefined) return await witness.readCheckpoint(originHash);
  const body = await readBody(request);
  return body ? await witness.addCheckpoint(body) : { status: 413, body: 'The body is too large\n' };
}

/** The body; `undefined` if it is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= bodyBytesAtMost) chunks.push(chunk);
    else if (length > discardedBytesAtMost) return undefined;
  }
  return length > bodyBytesAtMost ? undefined : Buffer.concat(chunks);
}

function send(response: ServerResponse, { status, body, mediaType, headers }: Answer): void {
  // The rest of a body that was not read is not the next request.
  if (!response.req.complete) response.setHeader('connection', 'close');
  response.writeHead(status, { 'content-type': mediaType ?? 'text/plain; charset=utf-8', ...headers });
  response.end(body);
}
