import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@waybill/private-datastores/free-port';
import { startOwnedProcess } from '@waybill/private-datastores/start-owned-process';
import { waitForHttp } from './wait-for-http.ts';

/** A running server of this folder. */
export interface BenchServer extends AsyncDisposable {
  readonly baseUrl: string;
}

/** Starts a bare server with a separate folder. Its module receives the folder and a port, in this order. */
export async function startBenchServer(module: URL, folder: string): Promise<BenchServer> {
  const port = await freePort();
  await mkdir(folder, { recursive: true });
  const server = await startOwnedProcess({
    command: [process.execPath, fileURLToPath(module), folder, String(port)],
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
