import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const timeoutMs = 300_000;

/** curl's report on its transfers. */
export interface CurlTransfers {
  /** From the first to the last, including the start of curl. */
  readonly seconds: number;
  /** Of each transfer, in the order in which they ended. */
  readonly statuses: readonly number[];
}

/**
 * Runs curl, ignoring the user's settings and discarding the responses.
 * @param expected the status that every transfer must end with; anything else throws
 */
export async function runCurl(expected: number, args: readonly string[]): Promise<CurlTransfers> {
  const startedAt = performance.now();
  const { stdout } = await run('curl', ['-q', '-sS', '-w', '%{http_code}\n', ...args], {
    timeout: timeoutMs,
    maxBuffer: 64 * 1024 * 1024,
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  const statuses = stdout.trim().split('\n').map(Number);
  const other = statuses.find((status) => status !== expected);
  if (other !== undefined) throw new Error(`curl was answered ${other} instead of ${expected}: ${args.join(' ')}`);
  return { seconds, statuses };
}
