import type { ConnectionOptions } from 'node:tls';
import { makeSelfSigned } from '@waybill/certificates/make-self-signed';
import { createTlsFiles, type Pair } from '@waybill/test-kit/tls/create-tls-files';
import { requestOverTls, shakeHands } from '@waybill/test-kit/tls/tls-client';
import { startTestServer } from './start-test-server.ts';

/** The test server with HTTPS; `write` replaces its files, which it reads every 50 ms. */
export async function startTlsServer(pair?: Pair) {
  const first = pair ?? (await makeSelfSigned({ names: ['localhost'], days: 1 }));
  const files = await createTlsFiles(first);
  const { certFile, keyFile, write } = files;
  const server = await startTestServer(undefined, { tls: { certFile, keyFile, reloadMs: 50 } });
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
    get: (path: string, headers: Record<string, string> = {}) => requestOverTls(server.port, path, { headers }),
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await files[Symbol.asyncDispose]();
    },
  };
}

/** What `startTlsServer` answers. */
export type TlsServer = Awaited<ReturnType<typeof startTlsServer>>;
