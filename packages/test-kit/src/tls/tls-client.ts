import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { text } from 'node:stream/consumers';
import { type ConnectionOptions, connect, TLSSocket } from 'node:tls';

/** A response, and the connection that it came over. */
export interface TlsResponse {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** SHA-256 of the server's certificate, as `X509Certificate.fingerprint256` has it. */
  readonly fingerprint: string;
  /** The client's port, which tells one connection from another. */
  readonly localPort: number | undefined;
}

/** The parts of a request besides its path. Without an `agent` it has a connection of its own. */
export type TlsRequestOptions = Pick<RequestOptions, 'method' | 'headers' | 'agent'> & { readonly body?: string };

/** Sends a request over HTTPS to this machine, whatever the name in the certificate and its issuer. */
export async function requestOverTls(
  port: number,
  path: string,
  { body, agent = false, ...options }: TlsRequestOptions = {},
): Promise<TlsResponse> {
  const done = Promise.withResolvers<TlsResponse>();
  const sent = request({ host: '127.0.0.1', port, path, rejectUnauthorized: false, agent, ...options }, (answer) => {
    const { socket, statusCode: status, headers } = answer;
    const fingerprint = socket instanceof TLSSocket ? socket.getPeerCertificate().fingerprint256 : '';
    const { localPort } = socket;
    text(answer).then(
      (content) => done.resolve({ status, headers, text: content, fingerprint, localPort }),
      done.reject,
    );
  });
  sent.once('error', done.reject);
  sent.end(body);
  return done.promise;
}

/** Resolves once the handshake is complete; rejects when the server refuses it. */
export function shakeHands(port: number, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const done = Promise.withResolvers<TLSSocket>();
  const socket = connect({ host: '127.0.0.1', port, servername: 'localhost', rejectUnauthorized: false, ...options });
  socket.once('secureConnect', () => done.resolve(socket));
  socket.once('error', done.reject);
  socket.once('close', () => done.reject(new Error('the server has closed the connection')));
  return done.promise;
}

/** Sends a request over plain HTTP. Returns what the server sent before it closed the connection. */
export async function requestOverPlainHttp(port: number, path: string): Promise<string> {
  const socket = connectPlain(port, '127.0.0.1', () => socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`));
  // A reset is a refusal, too.
  socket.on('error', () => {});
  let received = '';
  socket.setEncoding('latin1').on('data', (part: string) => void (received += part));
  await once(socket, 'close');
  return received;
}
