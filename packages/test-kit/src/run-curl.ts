import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';

/** How curl ended, and all it said. */
export interface CurlOutcome {
  /** 0, or what `man curl` lists. */
  readonly exitCode: number | null;
  readonly bytes: Buffer;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs curl with these arguments, silently except for errors, without the user's configuration, and for at most a
 * minute.
 */
export async function runCurl(...args: readonly string[]): Promise<CurlOutcome> {
  const child = spawn('curl', ['--disable', '--silent', '--show-error', '--max-time', '60', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [bytes, stderr, [exitCode]] = await Promise.all([
    buffer(child.stdout),
    buffer(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { exitCode, bytes, stdout: bytes.toString(), stderr: stderr.toString() };
}
