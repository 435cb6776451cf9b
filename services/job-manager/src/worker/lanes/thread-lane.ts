import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Compute, ComputationOrder } from '../../domain/workflows/computation.ts';
import { ComputingThread } from './thread-order.ts';
import { createTurns } from './turns.ts';

/** Threads at a time: one for each core, and at most four. */
const threadsAtMost = Math.min(4, availableParallelism());

/** A computation that needs more memory ends with its thread, and not with the worker. */
const heapMegabytes = 256;

/** By default it depends on the memory of the machine, and is more than all else in a thread. */
const youngMegabytes = 8;

/** The computing threads of a process. They are started when they are needed, and ended when this is disposed of. */
export interface ThreadLane extends AsyncDisposable {
  readonly compute: Compute;
}

/**
 * Opens the lane for CPU-bound work. Files stay in this thread: bytes pass to a computing thread as they are read, and no more
 * than it has worked through. A thread that dies, or that an abort ends in the middle of its work, is replaced by the next
 * order; orders of other threads notice nothing.
 */
export function openThreadLane(): ThreadLane {
  // By their programs.
  const idle = new Map<string, ComputingThread[]>();
  const running = new Set<ComputingThread>();
  const turns = createTurns(threadsAtMost);

  const compute = async (order: ComputationOrder, signal: AbortSignal) => {
    await using _turn = await turns.next();
    signal.throwIfAborted();
    const others = idle.get(order.program.href) ?? [];
    idle.set(order.program.href, others);
    const thread = (order.alone ? undefined : takeLiving(others)) ?? startThread(order.program);
    running.add(thread);
    const end = (): void => void thread.end();
    signal.addEventListener('abort', end, { once: true });
    const timer = order.alone && endAfter(thread, order.alone.secondsAtMost);
    try {
      return await thread.run(order);
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      running.delete(thread);
      if (thread.isFree && !order.alone) others.push(thread);
      else await thread.end();
    }
  };
  return {
    compute,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...running, ...[...idle.values()].flat()].map((thread) => thread.end()));
    },
  };
}

/** An idle thread may have died since its last order. */
function takeLiving(idle: ComputingThread[]): ComputingThread | undefined {
  for (let thread = idle.pop(); thread; thread = idle.pop()) if (thread.isFree) return thread;
  return undefined;
}

function endAfter(thread: ComputingThread, seconds: number): NodeJS.Timeout {
  return setTimeout(() => void thread.end(`it took more than ${seconds} s`), seconds * 1_000);
}

function startThread(program: URL): ComputingThread {
  const worker = new Worker(program, {
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: youngMegabytes },
    env: {},
  });
  return new ComputingThread(worker);
}
