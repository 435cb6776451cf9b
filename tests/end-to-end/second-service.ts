import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnEnvironment } from '@waybill/test-kit/spawn-environment';
import { waitFor } from '@waybill/test-kit/wait-for';
import type { PlatformProcess } from './platform-process.ts';

/** Another process of a service of a platform, with the settings of the first one but for those in `settings`. */
export async function startSecondService(
  platform: Pick<PlatformProcess, 'folder'>,
  service: string,
  settings: Readonly<Record<'PORT', string> & Record<string, string>>,
): Promise<AsyncDisposable> {
  await using resources = new AsyncDisposableStack();
  const text = await readFile(join(platform.folder, 'environments', `${service}.env`), 'utf8');
  const first = Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gmu)].map(([, name, value]) => [name, value]));
  const program = fileURLToPath(new URL(`../../services/${service}/src/main.ts`, import.meta.url));
  const env = spawnEnvironment({ ...first, LOG_LEVEL: 'warn', ...settings });
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  const exited = once(child, 'exit');
  resources.defer(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  const health = `http://127.0.0.1:${settings.PORT}/health/ready`;
  const isReady = async () => child.exitCode !== null || (await fetch(health)).ok;
  await waitFor(isReady, { what: `the second ${service}`, timeoutMs: 150_000, intervalMs: 100 });
  const owned = resources.move();
  return { [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
