import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const timeoutMs = 120_000;
const program = fileURLToPath(new URL('run-orders.ts', import.meta.url));

/** A command for the process that runs commands. */
export interface WaybillOrder {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How a command ended. */
export interface WaybillOutcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The platform's command line; disposing of it ends its process. */
export interface Waybill extends AsyncDisposable {
  /**
   * Runs `waybill <args>` to its end, one command at a time, with `environment` in addition to that of this process.
   * @throws Error if its process ends before, or the command takes too long
   */
  run(args: readonly string[], environment: WaybillOrder['env']): Promise<WaybillOutcome>;
  /**
   * Runs a command that must succeed.
   * @throws Error with its output, if it fails
   */
  succeed(args: readonly string[], environment: WaybillOrder['env']): Promise<void>;
}

/**
 * Starts a process that runs commands of `waybill` in the repository `root`: it loads their modules once, which takes more processor
 * time than the commands. An aborted `signal` ends it.
 */
export function startWaybill({ root, signal }: { root: string; signal: AbortSignal }): Waybill {
  const child = fork(program, [], { cwd: root, stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: [] });
  let said = '';
  child.stderr?.on('data', (text: Buffer) => (said += text.toString()));
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const end = (): void => void child.kill();
  signal.addEventListener('abort', end, { once: true });

  const run: Waybill['run'] = async (args, environment) => {
    signal.throwIfAborted();
    const answer = Promise.withResolvers<WaybillOutcome>();
    child.once('message', (outcome: WaybillOutcome) => answer.resolve(outcome));
    void exited.then(() => answer.reject(new Error(`waybill ${args.join(' ')} failed: its process ended. ${said}`)));
    const impatience = setTimeout(end, timeoutMs);
    try {
      const order: WaybillOrder = { args, env: { ...process.env, ...environment } };
      child.send(order, (err) => err && answer.reject(err));
      return await answer.promise;
    } catch (err) {
      signal.throwIfAborted();
      throw err;
    } finally {
      clearTimeout(impatience);
    }
  };
  return {
    run,
    async succeed(args, environment) {
      const { exitCode, stderr } = await run(args, environment);
      if (exitCode !== 0) throw new Error(`waybill ${args.join(' ')} failed: ${stderr.trim()}`);
    },
    async [Symbol.asyncDispose]() {
      signal.removeEventListener('abort', end);
      end();
      await exited;
    },
  };
}
