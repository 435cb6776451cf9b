import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { createCommandRunner } from '../src/adapters/connections/run-command.ts';
import { commandConfigShape } from '../src/domain/workflows/command-settings.ts';
import type { CommandEnd } from '../src/domain/workflows/step-commands.ts';

/** Users of the tests. */
export const [firstUser, lastUser] = [61_800, 61_801];

/** Programs in a folder that others can read. */
export interface CommandRig extends AsyncDisposable {
  readonly folder: string;
  /** Writes a script of dash. Returns its path. */
  script(name: string, text: string): Promise<string>;
  /** Runs a program with these settings. */
  run(order: RunOrder, settings?: Readonly<Record<string, string>>): Promise<CommandEnd & { readonly output: string }>;
}

interface RunOrder {
  readonly command: string;
  readonly arguments?: readonly string[];
  readonly input?: AsyncIterable<Buffer>;
  readonly signal?: AbortSignal;
}

/** Opens the rig. @throws Error unless the tests run as root: programs run as other users */
export async function openCommandRig(): Promise<CommandRig> {
  if (process.getuid?.() !== 0) throw new Error('Run this test as root: programs of `run-command` run as other users.');
  // Folders of other tests are not for other users.
  const folder = await mkdtemp('/tmp/waybill-commands-');
  await chmod(folder, 0o755);
  const never = new AbortController().signal;
  return {
    folder,
    script: async (name, text) => {
      const path = join(folder, name);
      await writeFile(path, `#!/usr/bin/dash\n${text}\n`);
      await chmod(path, 0o755);
      return path;
    },
    run: async ({ command, arguments: given = [], input = nothing(), signal = never }, settings = {}) => {
      const config = z.object(commandConfigShape).parse({
        RUN_COMMANDS: `${command} ANY`,
        RUN_COMMAND_USERS: `${firstUser}-${lastUser}`,
        ...settings,
      });
      await using running = await createCommandRunner(config)({ command, arguments: given, input }, signal);
      const chunks: Buffer[] = [];
      for await (const chunk of running.output) chunks.push(chunk);
      return { ...(await running.ended), output: Buffer.concat(chunks).toString() };
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

async function* nothing(): AsyncGenerator<Buffer> {}

/** The processes of the users of the tests, apart from those that are only waited for. */
export async function runningProcesses(): Promise<string[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/u.test(name));
  const states = await Promise.all(names.map((name) => readFile(`/proc/${name}/status`, 'latin1').catch(() => '')));
  return states.filter((state) => {
    const uid = Number(/^Uid:\s+(\d+)/mu.exec(state)?.[1]);
    return uid >= firstUser && uid <= lastUser && !/^State:\s+[ZX]/mu.test(state);
  });
}
