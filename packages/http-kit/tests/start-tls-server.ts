import { writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { makeSelfSigned } from '@waybill/certificates/make-self-signed';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { startTestServer } from './start-test-server.ts';

/** A certificate with its key, as PEM. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

/** The test server with HTTPS; `write` replaces its files, which it reads every 50 ms. */
export async function startTlsServer(pair?: Pair) {
  const first = pair ?? (await makeSelfSigned({ names: ['localhost'], days: 1 }));
  const folder = await createTestFolder();
  const files = { certFile: join(folder.path, 'cert.pem'), keyFile: join(folder.path, 'key.pem') };
  const write = async ({ cert, key }: Partial<Pair>): Promise<void> => {
    if (cert !== undefined) await writeFile(files.certFile, cert);
    if (key !== undefined) await writeFile(files.keyFile, key);
  };
  await write(first);
  const server = await startTestServer(undefined, { tls: { ...files, reloadMs: 50 } });
  const handshake = (options: ConnectionOptions = {}) => shakeHands(server.port, options);
  const fingerprint = async (): Promise<string> => {
    const socket = await handshake();
    const { fingerprint256 } = socket.getPeerCertificate();
    socket.destroy();
    return fingerprint256;
  };
  return {
    ...server,
    first,
    write,
    handshake,
    fingerprint,
    get: (path: string, headers: Record<string, string> = {}) => get(server.port, path, headers),
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await folder.remove();
    },
  };
}

/** What `startTlsServer` answers. */
export type TlsServer = Awaited<ReturnType<typeof startTlsServer>>;

/** Resolves once the handshake is complete; rejects when the server refuses it. */
function shakeHands(port: number, options: ConnectionOptions): Promise<TLSSocket> {
  const done = Promise.withResolvers<TLSSocket>();
  const socket = connect({ host: '127.0.0.1', port, servername: 'localhost', rejectUnauthorized: false, ...options });
  socket.once('secureConnect', () => done.resolve(socket));
  socket.once('error', done.reject);
  socket.once('close', () => done.reject(new Error('the server has closed the connection')));
  return done.promise;
}

function get(port: number, path: string, headers: Record<string, string>) {
  const done = Promise.withResolvers<{ status: number | undefined; headers: NodeJS.Dict<string | string[]> }>();
  const sent = request(
    { host: '127.0.0.1', port, path, headers, rejectUnauthorized: false, agent: false },
    (answer) => {
      answer.resume();
      answer.once('end', () => done.resolve({ status: answer.statusCode, headers: answer.headers }));
    },
  );
  sent.once('error', done.reject);
  sent.end();
  return done.promise;
}
