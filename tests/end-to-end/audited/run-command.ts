import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { runCommandLine } from '@waybill/cli/run-command-line';
import { runInProcess } from '@waybill/test-kit/processes/run-in-process';

/** Runs `waybill <args>` in the environment of the operator, and returns what it printed. It may fail: that is an outcome. */
export type RunCommand = (...args: readonly string[]) => Promise<string>;

/** The command line against the platform in `folder`. */
export function createRunCommand(folder: string): RunCommand {
  return async (...args) => {
    const environment = parseEnv(await readFile(join(folder, 'environments', 'waybill.env'), 'utf8'));
    const env = { ...process.env, ...environment };
    const { out, err } = await runInProcess(runCommandLine, args, { env });
    return `${out}${err}`;
  };
}
