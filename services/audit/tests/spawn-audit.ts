import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { spawnEnvironment } from '@waybill/test-kit/spawn-environment';

/** The audit service as a separate process, started and ready. */
export interface AuditProcess {
  /** SIGKILL; resolves when the process has ended. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with its exit code. */
  stop(): Promise<number | null>;
}

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** Starts the process and waits until it says that it has started. */
export async function spawnAudit(env: Readonly<Record<string, string>>): Promise<AuditProcess> {
  const child = spawn(process.execPath, [main], {
    env: spawnEnvironment({ ...env, LOG_LEVEL: 'info' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    if (chunk.includes('"started"')) break;
  }
  child.stdout.resume();
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      return child.exitCode;
    },
  };
}
