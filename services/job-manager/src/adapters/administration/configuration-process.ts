import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { serialize } from 'node:v8';
import type { ConfigurationEvents } from '../../domain/administration/configurations.ts';
import { deathOf, outcomeOf, type SeenDeath } from './configuration-death.ts';
import {
  committedSchema,
  type ConfigurationAnswer,
  type ConfigurationLimits,
  type ConfigurationOrder,
  readAnswer,
} from './configuration-messages.ts';

/** The connections of the process to PostgreSQL. */
export const configurationPoolSize = 2;

/** Where the process writes its answer. Its other outputs have nothing but what V8 says when its memory is used up. */
export const answerDescriptor = 4;

const program = fileURLToPath(new URL('configuration-program.ts', import.meta.url));

/** What surrounds the processes. */
export interface ConfigurationSurroundings extends ConfigurationEvents {
  /** Whether a plan is in force whose process did not tell; `undefined` if that cannot be found out. */
  isInForce(planId: string): Promise<boolean | undefined>;
}

/** Starts processes that work at configurations. */
export interface ConfigurationProcesses extends AsyncDisposable {
  /**
   * Resolves to the result of the call as JSON. `stop` ends it. @throws what the call throws, and CodedError `configuration_too_large`; `internal_error` and
   * `service_unavailable` if the process ends for other reasons, and its plan is or may be in force
   */
  run(order: ConfigurationOrder, stop: AbortSignal): Promise<Buffer>;
}

/**
 * Works at configurations in processes of their own, so that they neither hold up requests to this process nor use its memory.
 * A thread would not do: V8 ends the whole process if a thread with a limit allocates much at once beyond it.
 */
export function openConfigurationProcesses(
  env: Readonly<Record<string, string | undefined>>,
  limits: ConfigurationLimits,
  surroundings: ConfigurationSurroundings,
): ConfigurationProcesses {
  const running = new Set<ChildProcess>();
  let isStopped = false;
  const run = async ({ call }: ConfigurationOrder, ending: Promise<Ending>, stop: AbortSignal): Promise<Buffer> => {
    const { answer, isCommitted, ...seen } = await ending.catch((error: unknown) => {
      surroundings.configurationProcessEnded(call.kind, 'died');
      throw error;
    });
    const death = { ...seen, isStopped: isStopped || stop.aborted };
    surroundings.configurationProcessEnded(call.kind, answer ? 'answered' : outcomeOf(death));
    if (answer) return answer.result();
    const isInForce = isCommitted || (call.kind === 'apply' && (await surroundings.isInForce(call.planId)));
    throw deathOf(death, limits, isInForce);
  };
  return {
    run: async (order, stop) => {
      stop.throwIfAborted();
      const child = fork(program, [], {
        env: { ...env },
        execArgv: [`--max-old-space-size=${limits.heapMebibytes}`],
        stdio: ['pipe', 'ignore', 'ignore', 'ipc', 'pipe'],
      });
      surroundings.configurationProcessStarted(order.call.kind);
      running.add(child);
      const kill = (): void => void child.kill('SIGKILL');
      stop.addEventListener('abort', kill);
      try {
        return await run(order, endingOf(child, order, limits), stop);
      } finally {
        stop.removeEventListener('abort', kill);
        running.delete(child);
        child.kill('SIGKILL');
      }
    },
    [Symbol.asyncDispose]: async () => {
      isStopped = true;
      const ends = [...running].map((child) => once(child, 'exit'));
      for (const child of running) child.kill('SIGKILL');
      await Promise.all(ends);
    },
  };
}

/** How a process has ended. */
interface Ending extends Omit<SeenDeath, 'isStopped'> {
  /** Nothing if it has died before. */
  readonly answer: ConfigurationAnswer | undefined;
  /** It has told that its plan is in force. */
  readonly isCommitted: boolean;
}

async function endingOf(child: ChildProcess, order: ConfigurationOrder, limits: ConfigurationLimits): Promise<Ending> {
  const seen = { isLate: false, isCommitted: false };
  const timer = setTimeout(() => {
    seen.isLate = true;
    child.kill('SIGKILL');
  }, limits.seconds * 1_000);
  child.on('message', (message) => {
    if (!committedSchema.safeParse(message).success) return;
    // The rest is to be completed, and no longer depends on others.
    seen.isCommitted = true;
    clearTimeout(timer);
  });
  const ended = once(child, 'exit');
  // A program that cannot be started has no exit.
  ended.catch(() => {});
  try {
    const answer = readAnswer(await bytesFrom(child, order));
    if (!answer) await ended;
    return { answer, ...seen, code: child.exitCode, signal: child.signalCode };
  } finally {
    clearTimeout(timer);
  }
}

/** What a process answers to an order: nothing if it dies before. */
async function bytesFrom(child: ChildProcess, order: ConfigurationOrder): Promise<Buffer> {
  const output = child.stdio[answerDescriptor];
  if (!child.stdin || !(output instanceof Readable)) throw new Error('the process of a configuration has no pipes');
  const failure = once(child, 'error').then(([error]) => {
    throw error instanceof Error ? error : new Error(String(error));
  });
  failure.catch(() => {});
  // A process that dies does not read its order.
  pipeline(Readable.from([serialize(order)]), child.stdin).catch(() => {});
  return await Promise.race([buffer(output), failure]);
}
