import { parentPort } from 'node:worker_threads';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { noteBytes } from '@waybill/service-kit/buffer-reclaimer';
import type { BeginTransformation } from '../domain/workflows/computation.ts';
import { type ThreadAnswer, threadOrderSchema } from './thread-messages.ts';

/** Chunks that may be on their way to the main thread. */
const outputsAtMost = 8;
/** Buffers that each byte passes in this thread: here, and in the library that works on it. */
const copiesOfByte = 4;
/** What the library makes in small pieces travels together. */
const outputBytes = 128 * 1024;

/**
 * Makes this thread a transforming thread: the program of one calls this and nothing else. It works on one order after the
 * other. A transformation that throws ends its order; the main thread then ends the thread.
 */
export function serveTransformation(begin: BeginTransformation): void {
  const port = parentPort;
  if (!port) throw new Error('a transforming thread has a parent');
  const answer = (message: ThreadAnswer, ...transferred: ArrayBuffer[]): void => port.postMessage(message, transferred);
  let input = createInput(answer);
  let outputs = createWindow();

  const transform = async (parameters: Readonly<Record<string, string>>): Promise<void> => {
    try {
      const { output, result } = await begin(parameters, input.read());
      for await (const bytes of joined(output)) {
        await outputs.enter();
        answer({ kind: 'output', bytes }, bytes.buffer);
      }
      // Bytes that the transformation has not read would otherwise keep their buffers.
      await input.drop();
      answer({ kind: 'result', result: { ...(await result()) } });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      answer({ kind: 'failed', reason, ...(isCodedError(error) && { code: error.code }) });
    }
  };
  port.on('message', (message: unknown) => {
    const order = threadOrderSchema.parse(message);
    if (order.kind === 'begin') {
      [input, outputs] = [createInput(answer), createWindow()];
      void transform(order.parameters);
    } else if (order.kind === 'taken') outputs.leave();
    else if (order.kind === 'chunk') input.push({ buffer: order.buffer, length: order.length });
    else input.push(undefined);
  });
}

interface Chunk {
  readonly buffer: ArrayBuffer;
  readonly length: number;
}

/** The chunks of an order, as they are asked for. A buffer goes back as soon as its bytes are copied. */
function createInput(answer: (message: ThreadAnswer, buffer: ArrayBuffer) => void) {
  const queue: Chunk[] = [];
  let waiting: (() => void)[] = [];
  const state = { isEnded: false };
  const read = async function* (): AsyncGenerator<Uint8Array> {
    for (;;) {
      while (queue.length === 0 && !state.isEnded) await new Promise<void>((resolve) => waiting.push(resolve));
      const chunk = queue.shift();
      if (!chunk) return;
      const bytes = new Uint8Array(chunk.buffer, 0, chunk.length).slice();
      noteBytes(copiesOfByte * bytes.length);
      answer({ kind: 'done', buffer: chunk.buffer }, chunk.buffer);
      yield bytes;
    }
  };
  return {
    push: (chunk: Chunk | undefined): void => {
      if (chunk) queue.push(chunk);
      else state.isEnded = true;
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
    read,
    /** Reads and drops what is left. */
    drop: async (): Promise<void> => {
      const rest = read();
      while ((await rest.next()).done !== true);
    },
  };
}

/** Lets so many outputs be on their way at once. */
function createWindow() {
  const room = { free: outputsAtMost };
  let onLeave = (): void => {};
  return {
    enter: async (): Promise<void> => {
      while (room.free === 0) await new Promise<void>((resolve) => (onLeave = resolve));
      room.free -= 1;
    },
    leave: (): void => {
      room.free += 1;
      onLeave();
    },
  };
}

/** Joins small chunks, each into memory of its own, which can be transferred. */
async function* joined(output: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let [parts, length]: [Uint8Array[], number] = [[], 0];
  for await (const bytes of output) {
    parts.push(bytes);
    length += bytes.length;
    if (length < outputBytes) continue;
    yield joinedBytes(parts, length);
    [parts, length] = [[], 0];
  }
  if (length > 0) yield joinedBytes(parts, length);
}

function joinedBytes(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
