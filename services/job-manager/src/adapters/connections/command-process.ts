import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { CommandConfig } from '../../domain/workflows/command-settings.ts';
import type { CommandEnd, RunningCommand } from '../../domain/workflows/step-commands.ts';
import type { TakenUser } from './command-users.ts';

/** A program to start. */
export interface Program {
  readonly path: string;
  readonly arguments: readonly string[];
  readonly input: AsyncIterable<Buffer>;
}

/** What it runs with. */
export interface ProgramParts {
  readonly config: CommandConfig;
  readonly signal: AbortSignal;
  readonly user: TakenUser;
}

const mebibyte = 1024 * 1024;
/** How long a program may take to end after SIGTERM. */
const graceMs = 2_000;
const errorBytesKept = 4_096;
const filesAtMost = 256;

const environment = { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', HOME: '/nonexistent' };

/**
 * Starts a program as the user, in a session of its own, with limits that its processes inherit: `prlimit` sets them while the
 * privileges last, `setpriv` gives these up for good. It dies with this process.
 */
export async function startProgram(program: Program, parts: ProgramParts): Promise<RunningCommand> {
  const { config, signal, user } = parts;
  const child = spawn('/usr/bin/prlimit', argumentsFor(program, parts), {
    cwd: '/',
    env: environment,
    detached: true,
    stdio: 'pipe',
  });
  const exited = once(child, 'close');
  // Node discards output without a listener when the process ends. With this one, the output waits for its reader.
  child.stdout.on('readable', () => {});
  exited.catch(() => {});
  await once(child, 'spawn');
  const failure = createFailure(child, user);
  const onAbort = (): void => failure.fail(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const limit = `it took more than ${config.RUN_COMMAND_SECONDS} s`;
  const timer = setTimeout(() => failure.fail(failed(limit)), config.RUN_COMMAND_SECONDS * 1_000);
  // What the program has left would keep its output open.
  child.once('exit', () => void user.endAll().catch(failure.fail));
  const errorText = keepEnd(child);
  feed(child, program.input).catch(failure.fail);

  const ended = (async (): Promise<CommandEnd> => {
    try {
      await exited;
      await user.endAll();
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
    failure.throwIfFailed();
    if (child.exitCode === null) throw failed(`the signal ${child.signalCode} has ended it`, errorText());
    return { exitCode: child.exitCode, errorText: errorText() };
  })();
  ended.catch(() => {});
  return {
    output: limited(child, config.RUN_COMMAND_OUTPUT_MB, failure),
    ended,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.signalCode === null) failure.fail(failed('it was not wanted any more'));
      child.stdout.destroy();
      await ended.catch(() => {});
    },
  };
}

function argumentsFor({ path, arguments: given }: Program, { config, user }: ProgramParts): string[] {
  const output = config.RUN_COMMAND_OUTPUT_MB * mebibyte;
  return [
    `--as=${config.RUN_COMMAND_MEMORY_MB * mebibyte}`,
    `--nproc=${config.RUN_COMMAND_PROCESSES}`,
    `--fsize=${output}`,
    `--nofile=${filesAtMost}`,
    '--core=0',
    '/usr/bin/setpriv',
    `--reuid=${user.uid}`,
    `--regid=${user.uid}`,
    '--clear-groups',
    '--no-new-privs',
    '--inh-caps=-all',
    '--pdeathsig=KILL',
    '--',
    path,
    ...given,
  ];
}

interface Failure {
  fail(error: unknown): void;
  throwIfFailed(): void;
}

/** Keeps the first error, asks the program to end, and ends it and its processes if it does not. */
function createFailure(child: ChildProcessWithoutNullStreams, user: TakenUser): Failure {
  const state: { error?: unknown; hasFailed: boolean } = { hasFailed: false };
  return {
    fail: (error) => {
      if (state.hasFailed) return;
      [state.hasFailed, state.error] = [true, error];
      terminate(child);
      void endAfter(graceMs, child, user);
    },
    throwIfFailed: () => {
      if (state.hasFailed) throw state.error;
    },
  };
}

/** What fails here fails again when the user is given back. */
async function endAfter(ms: number, child: ChildProcessWithoutNullStreams, user: TakenUser): Promise<void> {
  const closed = new AbortController();
  child.once('close', () => closed.abort());
  try {
    await sleep(ms, undefined, { signal: closed.signal });
    await user.endAll();
  } catch {
    child.kill('SIGKILL');
  }
}

function terminate({ pid }: ChildProcessWithoutNullStreams): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGTERM');
  } catch {
    // It has ended.
  }
}

/** Writes the input as the program reads it. One that ends, or closes its input, need not read all of it. */
async function feed({ stdin }: ChildProcessWithoutNullStreams, input: AsyncIterable<Buffer>): Promise<void> {
  const closed = new Promise<void>((resolve) => stdin.once('close', resolve));
  stdin.on('error', () => {});
  for await (const chunk of input) {
    if (stdin.destroyed) return;
    if (!stdin.write(chunk)) await Promise.race([once(stdin, 'drain').catch(() => {}), closed]);
  }
  stdin.end();
}

async function* limited(
  { stdout }: ChildProcessWithoutNullStreams,
  megabytes: number,
  failure: Failure,
): AsyncGenerator<Buffer> {
  let size = 0;
  const chunks: AsyncIterable<Buffer> = stdout;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > megabytes * mebibyte) failure.fail(failed(`its output has more than ${megabytes} MiB`));
    failure.throwIfFailed();
    yield chunk;
  }
}

function keepEnd({ stderr }: ChildProcessWithoutNullStreams): () => string {
  let kept = Buffer.alloc(0);
  stderr.on('data', (bytes: Buffer) => (kept = Buffer.concat([kept, bytes]).subarray(-errorBytesKept)));
  stderr.on('error', () => {});
  return () => kept.toString();
}

function failed(reason: string, errorText = ''): CodedError {
  return new CodedError('job_step_failed', { detail: `the command failed: ${reason}${errorText && `: ${errorText}`}` });
}
