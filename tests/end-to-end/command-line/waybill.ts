import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** How a `waybill` ended, and what it printed. */
export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** `waybill` for one user of this machine. */
export interface Waybill {
  (args: readonly string[], more?: RunOptions): Promise<Outcome>;
  /** Starts it without waiting for its end. */
  start(args: readonly string[], more?: RunOptions): RunningWaybill;
}

/** What a run has besides its arguments. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  readonly cwd?: string;
}

/** A `waybill` that runs. */
export interface RunningWaybill {
  readonly process: ChildProcess;
  printed(): string;
  readonly ended: Promise<Outcome>;
}

const main = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url));

/** Its settings are in `home`. `program`: another one than that of the repository. */
export function waybillAt(home: string, program: readonly string[] = [process.execPath, main]): Waybill {
  const start = (args: readonly string[], { env = {}, input = '', cwd = home }: RunOptions = {}): RunningWaybill => {
    const [file = '', ...first] = program;
    const compiled = process.env['NODE_COMPILE_CACHE'] ?? '';
    const child = spawn(file, [...first, ...args], {
      cwd,
      env: { PATH: process.env['PATH'], HOME: home, NODE_COMPILE_CACHE: compiled, ...env },
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, out, err }));
    return { process: child, printed: () => out, ended };
  };
  return Object.assign((args: readonly string[], more?: RunOptions) => start(args, more).ended, { start });
}
