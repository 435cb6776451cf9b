import type { Readable } from 'node:stream';
import type { TaskSpecification } from '@waybill/contracts/tasks/task-specification';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { StepConnections } from '@waybill/outbound/connections/step-connections';
import type { KeyMaterial } from '@waybill/pgp/key-material';
import type { z } from 'zod';
import type { StepOutputs } from '../jobs/job-ledger.ts';
import type { Compute } from './computation.ts';

/** A file that a task reads: always the same version, even if its path changes. */
export interface OpenedFile extends AsyncDisposable {
  readonly size: number;
  /** The number of this version. */
  readonly fileset: string;
  content(): Readable;
}

/** A file that a task has written. */
export interface WrittenFile {
  readonly path: string;
  readonly fileset: string;
  /** Bytes, decimal. */
  readonly size: string;
  readonly sha256: string;
}

/**
 * The files of a job's VFS. Writing is fenced and happens once: it takes effect only while the job is held, and a step that
 * is tried again after it has taken effect gets the same result without writing a second time.
 */
export interface JobFiles {
  open(path: VirtualPath): Promise<OpenedFile>;
  /** What this step has written there already, when it is tried again. */
  written(path: VirtualPath): Promise<WrittenFile | undefined>;
  write(path: VirtualPath, content: AsyncIterable<Buffer>, mediaType: string): Promise<WrittenFile>;
}

/** The PGP keys that one step of a job may use: those of the actor of its contract, and those of the platform. */
export interface StepKeys {
  /**
   * A key with what its secrets hold, for the worker thread that uses it. @throws CodedError `key_unknown`, `secret_unknown`,
   * `secret_unreadable`
   */
  pgpKey(name: string, use: 'public' | 'private'): Promise<KeyMaterial>;
}

/** What a task can use. */
export interface TaskContext {
  readonly files: JobFiles;
  /** Connections to partners, and the keys of their files. */
  readonly connections: StepConnections & StepKeys;
  /** Runs CPU-bound work in a worker thread. */
  readonly compute: Compute;
  /** Aborted by the step's timeout, by an abort of the job and when the worker stops. */
  readonly signal: AbortSignal;
  /** Adds a line to the log of the step. Secrets are masked in it; of too many lines the newest are kept. */
  log(message: string): void;
}

/** Something that a step can do. */
export interface Task<S extends z.ZodObject = z.ZodObject> extends TaskSpecification<S> {
  run(parameters: z.output<S>, context: TaskContext): Promise<StepOutputs>;
}
