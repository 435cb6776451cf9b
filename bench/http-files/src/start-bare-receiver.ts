import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@waybill/private-datastores/free-port';
import { startOwnedProcess } from '@waybill/private-datastores/start-owned-process';
import { waitForHttp } from './wait-for-http.ts';

/** Starts `bare-receiver` over a folder. */
export async function startBareReceiver(folder: string): Promise<AsyncDisposable & { readonly baseUrl: string }> {
  const port = await freePort();
  await mkdir(folder, { recursive: true });
  const server = await startOwnedProcess({
    command: [process.execPath, fileURLToPath(new URL('bare-receiver.ts', import.meta.url)), folder, String(port)],
    logFile: join(folder, 'log'),
    pidFile: join(folder, 'pid'),
    stopSignal: 'SIGTERM',
    patienceMs: 10_000,
    env: { ...process.env, UV_THREADPOOL_SIZE: '16' },
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  await waitForHttp(baseUrl);
  return { baseUrl, [Symbol.asyncDispose]: () => server.stop() };
}
