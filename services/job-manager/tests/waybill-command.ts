import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { runWaybill as run } from '@waybill/test-kit/processes/run-waybill';
import { spawnEnvironment } from '@waybill/test-kit/spawn-environment';
import type { TestJobManager } from './start-test-job-manager.ts';

const waybill = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url));

/** Runs `waybill` as an operator does. `out`: its output and its errors. */
export async function runWaybill(...args: readonly string[]): Promise<{ code: number | null; out: string }> {
  const { code, out, err } = await run(args);
  return { code, out: out + err };
}

/** Starts `waybill` for a user whose settings are in `home`, and does not wait for its end. */
export function startWaybill(home: string, args: readonly string[]) {
  let out = '';
  const child = spawn(process.execPath, [waybill, ...args], { env: spawnEnvironment({ HOME: home }) });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stdin.end();
  return {
    printed: () => out,
    ended: once(child, 'close').then(([code]: unknown[]) => ({ code, out })),
  };
}

/** The options of commands that ask a platform, as an administrator. */
export interface PlatformAccess extends AsyncDisposable {
  readonly options: readonly string[];
}

/** Writes the access token of an administrator into a file. */
export async function platformAccess({ url, admin }: Pick<TestJobManager, 'url' | 'admin'>): Promise<PlatformAccess> {
  const folder = await createTestFolder();
  const token = path.join(folder.path, 'token.txt');
  await writeFile(token, `${admin}\n`);
  return {
    options: ['--url', url, '--token', token],
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
