import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const run = promisify(execFile);
const timeoutMs = 120_000;
/** What `execFile` says of a process that ended with an exit code. */
const failureSchema = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() });

/** A run of the platform's command line. */
export interface WaybillCommand {
  /** The repository. */
  root: string;
  args: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
}

/** How a run ended. */
export interface WaybillOutcome {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs `waybill <args>` to its end.
 * @throws Error with its output, if it fails
 */
export async function runWaybill(command: WaybillCommand): Promise<void> {
  const { exitCode, stderr } = await tryWaybill(command);
  if (exitCode !== 0) throw new Error(`waybill ${command.args.join(' ')} failed: ${stderr.trim()}`);
}

/** Runs `waybill <args>` to its end, and returns the result. @throws Error if it was ended by a signal */
export async function tryWaybill({ root, args, environment, signal }: WaybillCommand): Promise<WaybillOutcome> {
  const script = path.join('packages', 'cli', 'src', 'main.ts');
  const env = { ...process.env, ...environment };
  try {
    const printed = await run(process.execPath, [script, ...args], { cwd: root, env, signal, timeout: timeoutMs });
    return { exitCode: 0, ...printed };
  } catch (err) {
    signal.throwIfAborted();
    const failed = failureSchema.safeParse(err);
    if (failed.success) return { exitCode: failed.data.code, ...failed.data };
    throw new Error(`waybill ${args.join(' ')} failed: ${String(err)}`, { cause: err });
  }
}
