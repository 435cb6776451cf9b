import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** Answers one request, or breaks its connection. */
export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A program at the other end that fails as a test wants it. */
export interface ScriptedServer extends AsyncDisposable {
  readonly url: string;
  /** Method and target of each request so far. */
  readonly requests: readonly string[];
  /** The headers of each request so far. */
  readonly headers: readonly IncomingMessage['headers'][];
}

/** Gives the answers in their order; the last one again and again. */
export async function startScriptedServer(
  answers: readonly Answer[],
  tls?: { readonly cert: string; readonly key: string },
): Promise<ScriptedServer> {
  const requests: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const answer = answers[Math.min(requests.length, answers.length - 1)];
    requests.push(`${request.method} ${request.url}`);
    headers.push(request.headers);
    request.resume();
    answer?.(response, request);
  };
  const server = tls ? createTlsServer(tls, handle) : createServer(handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http${tls ? 's' : ''}://127.0.0.1:${port}`,
    requests,
    headers,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** A JSON body. */
export const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** A refusal in the form of RFC 9457. */
export const problem = (status: number, code: string, headers: Readonly<Record<string, string>> = {}): Answer =>
  json(
    status,
    { type: 'about:blank', title: code, status, detail: `detail of ${code}`, code, requestId: 'r1' },
    headers,
  );

/** No answer at all. */
export const reset: Answer = (_response, { socket }) => socket.resetAndDestroy();

/** Events, and then the end of the stream. */
export const events =
  (...parts: readonly string[]): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const part of parts) response.write(part);
    response.end();
  };
