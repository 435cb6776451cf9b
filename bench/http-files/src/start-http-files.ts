import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@waybill/private-datastores/free-port';
import { startOwnedProcess } from '@waybill/private-datastores/start-owned-process';
import { user } from './bench-configuration.ts';
import { waitForHttp } from './wait-for-http.ts';

/** The service as a separate process, and a logged-in partner. */
export interface HttpFiles extends AsyncDisposable {
  readonly baseUrl: string;
  readonly pid: number;
  /** The header that authenticates the partner. */
  readonly cookie: string;
}

/** Starts http-files as `npm start` does, with its default durability. */
export async function startHttpFiles(folder: string, addresses: { databaseUrl: string; redisUrl: string }) {
  const port = await freePort();
  const server = await startOwnedProcess({
    command: [process.execPath, fileURLToPath(new URL('../../../services/http-files/src/main.ts', import.meta.url))],
    logFile: join(folder, 'http-files.log'),
    pidFile: join(folder, 'http-files.pid'),
    stopSignal: 'SIGTERM',
    patienceMs: 20_000,
    env: {
      ...process.env,
      PORT: String(port),
      PEER_NAME: 'peer1',
      DATABASE_URL: addresses.databaseUrl,
      DATABASE_PRIVILEGED_USER: 'allow',
      REDIS_URL: addresses.redisUrl,
      BLOB_DIR: join(folder, 'blobs'),
      RECEIPT_SIGNING_KEY_FILE: join(folder, 'receipts.pem'),
      UV_THREADPOOL_SIZE: '16',
    },
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  await waitForHttp(`${baseUrl}/health/live`);
  const cookie = await logIn(baseUrl);
  return { baseUrl, pid: server.pid, cookie, [Symbol.asyncDispose]: () => server.stop() } satisfies HttpFiles;
}

async function logIn(baseUrl: string): Promise<string> {
  const body = new URLSearchParams({ username: user.name, password: user.password });
  const answer = await fetch(`${baseUrl}/2.0/login/basic`, {
    method: 'POST',
    body,
    signal: AbortSignal.timeout(10_000),
  });
  if (!answer.ok) throw new Error(`the login was answered ${answer.status}`);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}
