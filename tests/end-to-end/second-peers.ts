import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@waybill/private-datastores/free-port';
import { spawnEnvironment } from '@waybill/test-kit/spawn-environment';
import { waitFor } from '@waybill/test-kit/wait-for';
import type { PlatformProcess } from './platform-process.ts';

/** A second gateway and a second peer of the file interface, of the same platform. */
export interface SecondPeers extends AsyncDisposable {
  readonly sftpPort: number;
  readonly filesUrl: string;
}

/** Starts them with the settings of the first ones. */
export async function startSecondPeers(platform: Pick<PlatformProcess, 'folder'>): Promise<SecondPeers> {
  await using resources = new AsyncDisposableStack();
  const [sftpPort, gatewayPort, filesPort] = [await freePort(), await freePort(), await freePort()];
  const start = async (service: string, port: number, more: Readonly<Record<string, string>>) => {
    const text = await readFile(join(platform.folder, 'environments', `${service}.env`), 'utf8');
    const settings = Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gmu)].map(([, name, value]) => [name, value]));
    const program = fileURLToPath(new URL(`../../services/${service}/src/main.ts`, import.meta.url));
    const env = spawnEnvironment({ ...settings, PEER_NAME: 'peer2', PORT: String(port), LOG_LEVEL: 'warn', ...more });
    const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'inherit', 'inherit'] });
    const exited = once(child, 'exit');
    resources.defer(async () => {
      child.kill('SIGTERM');
      await exited;
    });
    const isReady = async () => child.exitCode !== null || (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok;
    await waitFor(isReady, { what: `the second ${service}`, timeoutMs: 60_000, intervalMs: 100 });
  };
  await Promise.all([
    start('sftp-gateway', gatewayPort, { SFTP_PORT: String(sftpPort) }),
    start('http-files', filesPort, {}),
  ]);
  const owned = resources.move();
  return {
    sftpPort,
    filesUrl: `http://127.0.0.1:${filesPort}`,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
