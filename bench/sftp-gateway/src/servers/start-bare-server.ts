import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@waybill/private-datastores/free-port';
import { startOwnedProcess } from '@waybill/private-datastores/start-owned-process';
import { memoryOfTree } from '../processes/processes-of-tree.ts';
import { processorSecondsOfTree } from '../processes/read-processor-seconds.ts';
import { type BenchServer, endOfFile } from './bench-server.ts';
import { createLoginKey } from './create-login-key.ts';
import { untilListening } from './until-listening.ts';

const program = fileURLToPath(new URL('bare-sftp-server.ts', import.meta.url));

/** SSH and SFTP with the same code as the gateway; behind it nothing but one file, `received` in the folder. */
export async function startBareServer(folder: string): Promise<BenchServer> {
  await mkdir(folder, { recursive: true });
  const { identityFile: hostKey } = await createLoginKey(folder);
  const port = await freePort();
  const logFile = join(folder, 'server.log');
  const server = await startOwnedProcess({
    command: [process.execPath, program, String(port), hostKey, join(folder, 'received')],
    logFile,
    pidFile: join(folder, 'server.pid'),
    stopSignal: 'SIGTERM',
    patienceMs: 5_000,
  });
  await untilListening(port, server.exited, logFile);
  return {
    name: 'a bare Node server',
    port,
    user: 'bench',
    folder: '/',
    memory: () => memoryOfTree(server.pid),
    processorSeconds: () => processorSecondsOfTree(server.pid),
    lastWords: () => endOfFile(logFile),
    [Symbol.asyncDispose]: () => server.stop(),
  };
}
