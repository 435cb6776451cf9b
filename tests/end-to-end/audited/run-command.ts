import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv, promisify } from 'node:util';

/** Runs `waybill <args>` in the environment of the operator, and returns what it printed. It may fail: that is an outcome. */
export type RunCommand = (...args: readonly string[]) => Promise<string>;

const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

/** The command line against the platform in `folder`. */
export function createRunCommand(folder: string): RunCommand {
  return async (...args) => {
    const environment = parseEnv(await readFile(join(folder, 'environments', 'waybill.env'), 'utf8'));
    const command = [join(root, 'packages', 'cli', 'src', 'main.ts'), ...args];
    const env = { ...process.env, ...environment };
    const { stdout, stderr } = await run(process.execPath, command, { cwd: root, env, timeout: 60_000 }).catch(
      (error: unknown) => ({ stdout: '', stderr: String(error) }),
    );
    return `${stdout}${stderr}`;
  };
}
