import { parentPort } from 'node:worker_threads';
import { z } from 'zod';
import type { BeginComputation, Computation } from '../../domain/workflows/computation.ts';
import { type ThreadAnswer, threadOrderSchema } from './thread-messages.ts';

/** The program of a computing thread: it works on one order after the other. A computation that throws ends with its order. */
const moduleSchema = z.object({ begin: z.custom<BeginComputation>((value) => typeof value === 'function') });

const port = parentPort;
if (!port) throw new Error('a computing thread has a parent');

const answer = (message: ThreadAnswer): void => port.postMessage(message);
let computation: Promise<Computation> | undefined;

async function follow(message: unknown): Promise<void> {
  const order = threadOrderSchema.parse(message);
  if (order.kind === 'begin') {
    computation = begin(order.module, order.parameters);
    // Its failure is the answer to the next order.
    computation.catch(() => {});
    return;
  }
  const running = await computation;
  if (!running) return;
  if (order.kind === 'chunk') {
    running.update(new Uint8Array(order.bytes));
    answer({ kind: 'done', bytes: order.bytes.byteLength });
  } else {
    answer({ kind: 'result', result: { ...running.end() } });
  }
}

async function begin(module: string, parameters: Readonly<Record<string, string>>): Promise<Computation> {
  return moduleSchema.parse(await import(module)).begin(parameters);
}

// One order after the other, also while the module is loaded.
let previous = Promise.resolve();
port.on('message', (message: unknown) => {
  previous = previous
    .then(() => follow(message))
    .catch((error: unknown) => {
      // What follows belongs to the failed order, until the next one begins.
      computation = undefined;
      answer({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
    });
});
