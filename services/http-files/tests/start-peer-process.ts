import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '@waybill/private-datastores/free-port';
import { spawnEnvironment } from '@waybill/test-kit/spawn-environment';
import { waitFor } from '@waybill/test-kit/wait-for';

const program = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** A peer as a separate process. */
export interface PeerProcess extends AsyncDisposable {
  readonly url: string;
  /** Kills it without a clean end. */
  kill(): Promise<void>;
}

/** Starts one with the environment of a rig, and waits until it is ready. */
export async function startPeerProcess(env: Readonly<Record<string, string>>): Promise<PeerProcess> {
  const port = await freePort();
  const settings = spawnEnvironment({ ...env, PORT: String(port), LOG_LEVEL: 'warn' });
  const child = spawn(process.execPath, [program], { env: settings, stdio: ['ignore', 'inherit', 'inherit'] });
  const exited = once(child, 'exit');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  const url = `http://127.0.0.1:${port}`;
  const isReady = async () => child.exitCode !== null || (await fetch(`${url}/health/ready`)).ok;
  await waitFor(isReady, { what: 'the peer', timeoutMs: 60_000, intervalMs: 100 });
  return { url, kill, [Symbol.asyncDispose]: kill };
}
