import { spawn } from 'node:child_process';

/** How to run a client. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Written to its standard input. */
  readonly input?: string;
  readonly timeoutMs?: number;
}

/** What a program said, and how it ended. */
export interface RunOutcome {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end, in UTF-8 and English; a failure is an outcome. It is killed after `timeoutMs` (5 minutes). */
export function runOutcome(command: readonly [string, ...string[]], options: RunOptions = {}): Promise<RunOutcome> {
  const { env = {}, input = '', timeoutMs = 300_000 } = options;
  const [program, ...args] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', ...env },
      signal: AbortSignal.timeout(timeoutMs),
      killSignal: 'SIGKILL',
    });
    const output = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
    // It may be gone before it has read its commands: the exit code tells.
    child.stdin.on('error', () => {}).end(input);
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, ...output }));
  });
}

/** A client that reported a failure; the message has all it said. */
export class ClientFailure extends Error {
  override readonly name = 'ClientFailure';
}

/** Runs a program and resolves with its standard output; rejects with a `ClientFailure` when it fails. */
export async function runClient(command: readonly [string, ...string[]], options: RunOptions = {}): Promise<string> {
  const { exitCode, stdout, stderr } = await runOutcome(command, options);
  if (exitCode !== 0) throw new ClientFailure(`${command.join(' ')} ended with ${exitCode}:\n${stdout}${stderr}`);
  return stdout;
}
