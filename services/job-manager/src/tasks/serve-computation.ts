import { parentPort } from 'node:worker_threads';
import type { BeginComputation, Computation } from '../domain/workflows/computation.ts';
import { type ThreadAnswer, threadOrderSchema } from './thread-messages.ts';

/**
 * Makes this thread a computing thread: the program of one calls this and nothing else. It works on one order after the
 * other. A computation that throws ends its order.
 */
export function serveComputation(begin: BeginComputation): void {
  const port = parentPort;
  if (!port) throw new Error('a computing thread has a parent');
  const answer = (message: ThreadAnswer, ...returned: ArrayBuffer[]): void => port.postMessage(message, returned);
  let computation: Computation | undefined;

  const follow = (message: unknown): void => {
    const order = threadOrderSchema.parse(message);
    if (order.kind === 'begin') {
      computation = begin(order.parameters);
    } else if (order.kind === 'chunk') {
      const { buffer, length } = order;
      computation?.update(new Uint8Array(buffer, 0, length));
      answer({ kind: 'done', buffer }, buffer);
    } else if (computation) {
      answer({ kind: 'result', result: { ...computation.end() } });
    }
  };
  port.on('message', (message: unknown) => {
    try {
      follow(message);
    } catch (error) {
      // What follows belongs to the failed order, until the next one begins.
      computation = undefined;
      answer({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
    }
  });
}
