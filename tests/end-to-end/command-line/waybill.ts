import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { runCommandLine } from '@waybill/cli/run-command-line';
import { type CommandOutcome, runInProcess } from '@waybill/test-kit/processes/run-in-process';

/** How a `waybill` ended, and what it printed. */
export type Outcome = CommandOutcome;

/** `waybill` for one user of this machine. */
export interface Waybill {
  /** Runs it to its end: in this process, unless it has a program of its own. */
  (args: readonly string[], more?: RunOptions): Promise<Outcome>;
  /** Starts it as a process, as a shell does, without waiting for its end. */
  start(args: readonly string[], more?: RunOptions): RunningWaybill;
}

/** What a run has besides its arguments. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
}

/** A `waybill` that runs. */
export interface RunningWaybill {
  readonly process: ChildProcess;
  printed(): string;
  readonly ended: Promise<Outcome>;
}

const main = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url));

/** The variables of a `waybill` that a test starts, which those of the machine do not change. */
export function environmentIn(home: string): Record<string, string> {
  const [path = '', compiled = ''] = [process.env['PATH'], process.env['NODE_COMPILE_CACHE']];
  return { PATH: path, HOME: home, NODE_COMPILE_CACHE: compiled };
}

/** Runs it in this process at a terminal, where `answer` types what is asked for, after it has seen the output so far. */
export async function runAtTerminal(
  args: readonly string[],
  answer: (question: string, out: string) => string,
  env: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runCommandLine(args, {
    env,
    out: (line) => out.push(line),
    err: (line) => err.push(line),
    terminal: {
      columns: () => 80,
      showStatus: () => undefined,
      askSecretly: (question) => Promise.resolve(answer(question, out.join('\n'))),
    },
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

/**
 * Its settings, and the files that it names, are in `home`. `program`: another one than that of the repository, which runs as a
 * process for each command.
 */
export function waybillAt(home: string, program?: readonly string[]): Waybill {
  const start = (args: readonly string[], { env = {}, input = '' }: RunOptions = {}): RunningWaybill => {
    const [file = '', ...first] = program ?? [process.execPath, main];
    const child = spawn(file, [...first, ...args], { cwd: home, env: { ...environmentIn(home), ...env } });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, out, err }));
    return { process: child, printed: () => out, ended };
  };
  const run = async (args: readonly string[], { env = {}, input }: RunOptions = {}): Promise<Outcome> => {
    const before = process.cwd();
    process.chdir(home);
    try {
      return await runInProcess(runCommandLine, args, { env: { ...environmentIn(home), ...env }, input });
    } finally {
      process.chdir(before);
    }
  };
  const runProgram = (args: readonly string[], more?: RunOptions) => start(args, more).ended;
  return Object.assign(program === undefined ? run : runProgram, { start });
}
