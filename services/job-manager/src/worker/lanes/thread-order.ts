import type { Writable } from 'node:stream';
import type { Worker } from 'node:worker_threads';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { noteBytes } from '@waybill/service-kit/buffer-reclaimer';
import { z } from 'zod';
import type { ComputationOrder } from '../../domain/workflows/computation.ts';
import { threadAnswerSchema, type ThreadAnswer, type ThreadOrder } from '../../tasks/thread-messages.ts';

type Result = Readonly<Record<string, string>>;

/**
 * Bytes pass in buffers that the thread returns when it has worked through them. No more than these are ever made for it, so
 * that memory does not grow with the file.
 */
const bufferBytes = 256 * 1024;
const buffersAtMost = 8;

const bytesSchema = z.instanceof(Uint8Array);

interface Order {
  readonly output: Writable | undefined;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** A computing thread: one order at a time. An idle one does not keep the process alive. */
export class ComputingThread {
  readonly #worker: Worker;
  #order: Order | undefined;
  readonly #free: ArrayBuffer[] = [];
  #made = 0;
  #onChange = (): void => {};
  #hasFailed = false;
  #isEnded = false;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (message: unknown) => this.#hear(threadAnswerSchema.parse(message)));
    worker.on('error', (error: unknown) => this.#die(error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', (code) => this.#die(new Error(`it ended with code ${code}`)));
    worker.unref();
  }

  /** Whether it can take another order. */
  get isFree(): boolean {
    return !this.#isEnded && this.#order === undefined;
  }

  /** Resolves to the result when all bytes of the input have passed. Rejects, and ends the thread, if there is none. */
  async run({ parameters, input, output }: Omit<ComputationOrder, 'program'>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    // Reading ends with the order. A stream that was read to its end has no other listener for its error.
    input.on('error', () => {});
    promise.catch((error: unknown) => input.destroy(error instanceof Error ? error : undefined));
    this.#order = { output, resolve, reject };
    this.#worker.ref();
    try {
      this.#send({ kind: 'begin', parameters });
      for await (const chunk of input) {
        const bytes = bytesSchema.parse(chunk);
        await this.#pass(bytes);
        noteBytes(bytes.length);
      }
      this.#send({ kind: 'end' });
      return await promise;
    } finally {
      this.#worker.unref();
      // It may still have bytes of an order that has failed.
      if (this.#order !== undefined) await this.end();
    }
  }

  /** Ends the thread, whatever it does. */
  async end(why = 'it was ended'): Promise<void> {
    this.#die(new Error(why));
    await this.#worker.terminate();
  }

  async #pass(chunk: Uint8Array): Promise<void> {
    for (let start = 0; start < chunk.length; start += bufferBytes) {
      const buffer = await this.#freeBuffer();
      if (!buffer) return;
      // The chunk may be a view of memory that is not its own.
      const part = chunk.subarray(start, start + bufferBytes);
      new Uint8Array(buffer).set(part);
      this.#send({ kind: 'chunk', buffer, length: part.length }, buffer);
    }
  }

  /** Waits until there is one; undefined if the order has failed. */
  async #freeBuffer(): Promise<ArrayBuffer | undefined> {
    while (!this.#hasFailed) {
      const buffer = this.#free.pop();
      if (buffer) return buffer;
      if (this.#made < buffersAtMost) {
        this.#made += 1;
        return new ArrayBuffer(bufferBytes);
      }
      await new Promise<void>((resolve) => (this.#onChange = resolve));
    }
    return undefined;
  }

  #send(order: ThreadOrder, ...transferred: ArrayBuffer[]): void {
    this.#worker.postMessage(order, transferred);
  }

  #hear(answer: ThreadAnswer): void {
    if (answer.kind === 'done') {
      this.#free.push(answer.buffer);
      this.#onChange();
    } else if (answer.kind === 'output') {
      this.#take(answer.bytes);
    } else if (answer.kind === 'result') {
      this.#order?.resolve(answer.result);
      this.#order = undefined;
    } else {
      this.#fail(answer.code ? new CodedError(answer.code, { detail: answer.reason }) : failure(answer.reason));
    }
  }

  /** The thread goes on when the output has room. What an output without a reader gets is lost. */
  #take(bytes: Uint8Array): void {
    const output = this.#order?.output;
    if (!output || output.destroyed) this.#fail(failure('nothing takes its output'));
    else output.write(bytes, (error) => error ?? this.#send({ kind: 'taken' }));
  }

  /** The thread takes no other order: see `run`. */
  #fail(error: CodedError): void {
    this.#hasFailed = true;
    this.#order?.reject(error);
    this.#onChange();
  }

  #die(cause: Error): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#fail(failure(`its thread died: ${cause.message}`, cause));
  }
}

function failure(reason: string, cause?: Error): CodedError {
  return new CodedError('job_step_failed', { detail: `the computation failed: ${reason}`, cause });
}
