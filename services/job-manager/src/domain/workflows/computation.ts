import type { Readable, Writable } from 'node:stream';

/** A computation over the bytes of a stream, in a worker thread: it sees its parameters and the bytes, and nothing else. */
export interface Computation {
  update(chunk: Uint8Array): void;
  /** The result, when all bytes were passed. */
  end(): Readonly<Record<string, string>>;
}

/** Begins a computation. It throws for parameters that it cannot work with. */
export type BeginComputation = (parameters: Readonly<Record<string, string>>) => Computation;

/**
 * Bytes that are made from other bytes, in a worker thread, for as long as they are read. `result` is asked for at their end. A
 * failure that is a CodedError keeps its code.
 */
export interface Transformation {
  readonly output: AsyncIterable<Uint8Array>;
  readonly result: () => Promise<Readonly<Record<string, string>>>;
}

/** Begins a transformation. */
export type BeginTransformation = (
  parameters: Readonly<Record<string, string>>,
  input: AsyncIterable<Uint8Array>,
) => Promise<Transformation>;

/** A computation to run: the program of its thread, which calls `serveComputation`, its parameters and its bytes. */
export interface ComputationOrder {
  readonly program: URL;
  readonly parameters: Readonly<Record<string, string>>;
  /** Destroyed if the computation fails. */
  readonly input: Readable;
  /** Takes what a transformation makes. It is neither ended nor destroyed. */
  readonly output?: Writable;
  /** It gets a thread of its own, which ends after it, and in its middle if it takes longer. */
  readonly alone?: { readonly secondsAtMost: number };
}

/**
 * Runs CPU-bound work of tasks away from the event loop, which renews leases. Resolves to the result. An abort of `signal`
 * ends the thread at once, whatever it does: it has no effects outside it. @throws the signal's reason; errors of the input;
 * CodedError `job_step_failed` if the computation throws or its thread dies, or the CodedError that it throws
 */
export type Compute = (order: ComputationOrder, signal: AbortSignal) => Promise<Readonly<Record<string, string>>>;
