import type { Readable } from 'node:stream';
import type { Worker } from 'node:worker_threads';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { z } from 'zod';
import type { ComputationOrder } from '../../domain/workflows/computation.ts';
import { threadAnswerSchema, type ThreadAnswer, type ThreadOrder } from '../../tasks/thread-messages.ts';

type Result = Readonly<Record<string, string>>;

/** Bytes that a thread may have before it, so that it never waits and the memory does not grow with the file. */
const windowBytes = 4 * 1024 * 1024;

const bytesSchema = z.instanceof(Uint8Array);

/** A computing thread: one order at a time. An idle one does not keep the process alive. */
export class ComputingThread {
  readonly #worker: Worker;
  #order: { resolve(result: Result): void; reject(error: unknown): void } | undefined;
  #ahead = 0;
  #onChange = (): void => {};
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
  async run({ parameters, input }: Omit<ComputationOrder, 'program'>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    // Reading ends with the order. A stream that was read to its end has no other listener for its error.
    input.on('error', () => {});
    promise.catch((error: unknown) => input.destroy(error instanceof Error ? error : undefined));
    this.#order = { resolve, reject };
    this.#worker.ref();
    try {
      this.#send({ kind: 'begin', parameters });
      for await (const chunk of input) await this.#pass(bytesSchema.parse(chunk), input);
      this.#send({ kind: 'end' });
      return await promise;
    } finally {
      this.#worker.unref();
      // It may still have bytes of an order that has failed.
      if (this.#order !== undefined) await this.end();
    }
  }

  /** Ends the thread, whatever it does. */
  async end(): Promise<void> {
    this.#die(new Error('it was ended'));
    await this.#worker.terminate();
  }

  /** Waits until the thread has room for more. */
  async #pass(chunk: Uint8Array, input: Readable): Promise<void> {
    // The chunk may be a view of memory that is not its own.
    const bytes = new Uint8Array(chunk).buffer;
    this.#ahead += bytes.byteLength;
    this.#send({ kind: 'chunk', bytes }, bytes);
    while (this.#ahead >= windowBytes && !input.destroyed) {
      await new Promise<void>((resolve) => (this.#onChange = resolve));
    }
  }

  #send(order: ThreadOrder, ...transferred: ArrayBuffer[]): void {
    this.#worker.postMessage(order, transferred);
  }

  #hear(answer: ThreadAnswer): void {
    if (answer.kind === 'done') {
      this.#ahead -= answer.bytes;
      this.#onChange();
    } else if (answer.kind === 'result') {
      this.#order?.resolve(answer.result);
      this.#order = undefined;
    } else {
      this.#fail(failure(answer.reason));
    }
  }

  #fail(error: CodedError): void {
    this.#order?.reject(error);
    // After the input was destroyed.
    setImmediate(() => this.#onChange());
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
