import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { spawnEnvironment } from '../spawn-environment.ts';
import type { CommandOutcome } from './run-in-process.ts';

/** A command for the process that runs commands. */
export interface CommandOrder {
  readonly number: number;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** How the command of this number ended. */
export interface CommandAnswer {
  readonly number: number;
  readonly outcome: CommandOutcome;
}

const program = fileURLToPath(new URL('../../../cli/tests/serve-commands.ts', import.meta.url));
const waiting = new Map<number, PromiseWithResolvers<CommandOutcome>>();
let server: ChildProcess | undefined;
let latest = 0;

/**
 * Runs `waybill <args>` with nothing but `settings` in its environment and no standard input. All commands of this process run in one
 * other process, which loads the modules of `waybill` once: for each command they would take a second of processor time.
 */
export async function runWaybill(
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<CommandOutcome> {
  latest += 1;
  const answer = Promise.withResolvers<CommandOutcome>();
  waiting.set(latest, answer);
  server ??= startServer();
  server.send({ number: latest, args, env: spawnEnvironment(settings) } satisfies CommandOrder);
  return await answer.promise;
}

/** It ends with this process, whose end closes the channel between them, and keeps nothing waiting for it. */
function startServer(): ChildProcess {
  const child = fork(program, [], {
    env: spawnEnvironment(),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [],
  });
  child.on('message', ({ number, outcome }: CommandAnswer) => {
    waiting.get(number)?.resolve(outcome);
    waiting.delete(number);
  });
  child.once('exit', () => {
    server = undefined;
    for (const { reject } of waiting.values()) reject(new Error('the process that runs the commands has ended'));
    waiting.clear();
  });
  child.unref();
  child.channel?.unref();
  return child;
}
