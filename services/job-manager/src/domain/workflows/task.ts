import type { Readable } from 'node:stream';
import type { FilePlace } from '@waybill/contracts/tasks/file-place';
import type { TaskSpecification } from '@waybill/contracts/tasks/task-specification';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { StepConnections } from '@waybill/outbound/connections/step-connections';
import type { KeyMaterial } from '@waybill/pgp/key-material';
import type { z } from 'zod';
import type { StepDeliveries } from '../deliveries/webhook-delivery.ts';
import type { StepOutputs } from '../jobs/job-ledger.ts';
import type { WaitState } from '../queues/step-wait.ts';
import type { Compute } from './computation.ts';
import type { StepCommands } from './step-commands.ts';
import type { StepSubmissions } from './step-submissions.ts';

/** A file that a task reads: always the same version, even if its path changes. */
export interface OpenedFile extends AsyncDisposable {
  readonly size: number;
  /** The number of this version. */
  readonly fileset: string;
  readonly sha256: string;
  readonly mediaType: string;
  readonly modifiedAt: Date;
  /** The bytes from `start` (default: 0) to `end`, exclusive (default: the size). */
  content(range?: { readonly start?: number; readonly end?: number }): Readable;
}

/** A file that a task has written. */
export interface WrittenFile {
  readonly path: string;
  readonly fileset: string;
  /** Bytes, decimal. */
  readonly size: string;
  readonly sha256: string;
}

/** What a task sees of an entry. */
export interface FoundEntry {
  readonly kind: 'file' | 'folder';
  readonly name: string;
  /** Bytes; 0 for a folder. */
  readonly size: number;
  readonly modifiedAt: Date;
}

/** How a file is put at its target. */
export interface PutOptions {
  /** Whether it replaces a file there; by default it does. Otherwise: `already_exists`. */
  readonly overwrite?: boolean | undefined;
  /** Whether it is handed over, and starts what a file starts there that a partner has sent. */
  readonly delivers?: boolean | undefined;
}

/**
 * The files that a job reaches: those of its VFS, and of others as its action grants. Every change is fenced and happens once:
 * it takes effect only while the job is held, and a step that is tried again after a change has taken effect gets the same
 * result without a second change.
 * @throws CodedError `no_list_permission`, `no_read_permission`, `no_write_permission` or `no_delete_permission`: the action
 * does not grant this
 */
export interface JobFiles {
  open(place: FilePlace): Promise<OpenedFile>;
  /** The first file of a folder, by name, that matches a pattern; also `undefined` if there is no such folder. */
  first(folder: FilePlace, pattern: string): Promise<{ path: VirtualPath; name: string; size: string } | undefined>;
  /** What this step has written there already, when it is tried again. */
  written(place: FilePlace): Promise<WrittenFile | undefined>;
  write(
    place: FilePlace,
    content: AsyncIterable<Buffer>,
    mediaType: string,
    options?: PutOptions,
  ): Promise<WrittenFile>;
  find(place: FilePlace): Promise<FoundEntry | undefined>;
  /** The next entries of a folder in the order of names: the last ones if there are fewer than `limit`. */
  scan(folder: FilePlace, part: { afterName: string; limit: number }): Promise<readonly FoundEntry[]>;
  /** Copies a file, with its media type and its metadata. Within one storage class no byte is moved. */
  copy(source: FilePlace, target: FilePlace, options?: PutOptions): Promise<WrittenFile>;
  /**
   * Moves a file, or within one VFS a folder. Between VFSs it is copied and then deleted, unless another version has taken its
   * place meanwhile: that one stays.
   */
  move(source: FilePlace, target: FilePlace, options?: PutOptions): Promise<WrittenFile>;
  /** Deletes a file, or an empty folder; with `recursive` a folder with its content. Returns what it was. */
  remove(place: FilePlace, options?: { readonly recursive?: boolean }): Promise<WrittenFile>;
  /** Creates a folder in an existing one. Returns false if it exists. */
  createFolder(place: FilePlace): Promise<boolean>;
  /** Adds metadata to a file, or replaces the values of existing keys. */
  setMetadata(place: FilePlace, values: Readonly<Record<string, string>>): Promise<WrittenFile>;
}

/** The PGP keys that one step of a job may use: those of the actor of its contract, and those of the platform. */
export interface StepKeys {
  /**
   * A key with what its secrets hold, for the worker thread that uses it. @throws CodedError `key_unknown`, `secret_unknown`,
   * `secret_unreadable`
   */
  pgpKey(name: string, use: 'public' | 'private'): Promise<KeyMaterial>;
}

/** What a task that waits knows and does. */
export interface Waiting {
  /** What the step has kept; absent if it has not waited yet. */
  readonly state: WaitState | undefined;
  /** Suspends the job. @throws Suspension */
  suspend(wait: WaitRequest): never;
}

/** What a task wants to wait for. */
export type WaitRequest = { readonly until: Date; readonly message: string } & (
  | { readonly kind: 'time' }
  | { readonly kind: 'file'; readonly folder: VirtualPath; readonly pattern: string }
  | { readonly kind: 'approval'; readonly approvers: readonly string[]; readonly question: string }
);

/** What a task can use. */
export interface TaskContext {
  readonly files: JobFiles;
  /** Connections to partners with their delivery log, the keys of their files, and programs of this machine. */
  readonly connections: StepConnections & StepKeys & StepCommands & StepDeliveries;
  readonly submissions: StepSubmissions;
  /** Runs CPU-bound work in a worker thread. */
  readonly compute: Compute;
  /** For tasks at which a job waits. */
  readonly waiting: Waiting;
  /** Aborted by the step's timeout, by an abort of the job and when the worker stops. */
  readonly signal: AbortSignal;
  /** Adds a line to the log of the step. Secrets are masked in it; of too many lines the newest are kept. */
  log(message: string): void;
}

/** Something that a step can do. */
export interface Task<S extends z.ZodObject = z.ZodObject> extends TaskSpecification<S> {
  run(parameters: z.output<S>, context: TaskContext): Promise<StepOutputs>;
}
