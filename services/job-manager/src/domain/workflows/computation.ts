import type { Readable } from 'node:stream';

/** A computation over the bytes of a stream, in a worker thread: it sees its parameters and the bytes, and nothing else. */
export interface Computation {
  update(chunk: Uint8Array): void;
  /** The result, when all bytes were passed. */
  end(): Readonly<Record<string, string>>;
}

/** Begins a computation. It throws for parameters that it cannot work with. */
export type BeginComputation = (parameters: Readonly<Record<string, string>>) => Computation;

/** A computation to run: the program of its thread, which calls `serveComputation`, its parameters and its bytes. */
export interface ComputationOrder {
  readonly program: URL;
  readonly parameters: Readonly<Record<string, string>>;
  /** Destroyed if the computation fails. */
  readonly input: Readable;
}

/**
 * Runs CPU-bound work of tasks away from the event loop, which renews leases. Resolves to the result. An abort of `signal`
 * ends the thread at once, whatever it does: it has no effects outside it. @throws the signal's reason; errors of the input;
 * CodedError `job_step_failed` if the computation throws or its thread dies
 */
export type Compute = (order: ComputationOrder, signal: AbortSignal) => Promise<Readonly<Record<string, string>>>;
