import { Writable } from 'node:stream';

/** How a command ended, and what it printed. */
export interface CommandOutcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** What a command has besides its arguments. */
export interface CommandGiven {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Its standard input. */
  readonly input?: string | Uint8Array | undefined;
}

/** The function behind a program, such as `runCommandLine` of `waybill`. */
export type CommandLine = (
  args: readonly string[],
  surroundings: {
    readonly env: CommandGiven['env'];
    readonly input: AsyncIterable<Uint8Array>;
    readonly out: (line: string) => void;
    readonly err: (line: string) => void;
    readonly output: Writable;
  },
) => Promise<number>;

/**
 * Runs a command to its end in this process, where its modules are loaded once: a process of its own spends a second of processor
 * time on them for each command.
 */
export async function runInProcess(
  commandLine: CommandLine,
  args: readonly string[],
  { env, input = '' }: CommandGiven,
): Promise<CommandOutcome> {
  const out: Buffer[] = [];
  let err = '';
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      out.push(chunk);
      done();
    },
  });
  const code = await commandLine(args, {
    env,
    input: inputOf(Buffer.from(input)),
    out: (line) => out.push(Buffer.from(`${line}\n`)),
    err: (line) => (err += `${line}\n`),
    output,
  });
  return { code, out: Buffer.concat(out).toString(), err };
}

async function* inputOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield await Promise.resolve(bytes);
}
