import type { AuditFinding } from '@waybill/contracts/endpoints/audit-logs/verify-audit-record';
import type { LogKey, TreeHead } from '../log/record-log.ts';
import type { ProducerNumbers, WaitingNumbers } from '../records/producer-numbers.ts';
import type { ErasedValues, RecordedRedaction } from '../redaction/redaction-check.ts';
import type { ArchivedStart } from '../retention/archive-lines.ts';
import type { HashSource } from '../tree/tree-proofs.ts';
import type { BatchEnds } from './batch-order.ts';
import type { RecordBefore } from './record-check.ts';

/** Records from `first` to `last`, by their numbers. */
export interface RecordRange {
  readonly first: number;
  readonly last: number;
}

/** The outcome of checking the records of a range one by one. It is plain data, so that a thread can return it. */
export interface CheckedRange {
  /** The hashes of the leaves, 32 bytes each, computed from the fields of the records. */
  readonly leafHashes: Uint8Array;
  readonly findings: readonly AuditFinding[];
  /** The number of findings; `findings` has the first ones. */
  readonly findingCount: number;
  readonly keyChanges: readonly KeyChange[];
  /** The values that were erased. */
  readonly erased: readonly ErasedValues[];
  /** The records of redactions. */
  readonly redactions: readonly RecordedRedaction[];
  /** The ranges of the archives that records name: `1-512`. */
  readonly archives: readonly string[];
  /** The last record; `undefined` without records. */
  readonly lastSequence: number | undefined;
  /** The earliest and the latest `recordedAt`, in milliseconds since 1970; `undefined` without any. */
  readonly recorded: RecordedTimes | undefined;
  /** The numbers that the producers gave. */
  readonly producers: readonly ProducerNumbers[];
  readonly batches: BatchEnds;
}

/** When the records of a range were stored. */
export interface RecordedTimes {
  readonly earliestMs: number;
  /** The record of the earliest time. */
  readonly earliestSequence: number;
  readonly latestMs: number;
}

/** A record that says that the key of the log was changed: verifier keys. */
export interface KeyChange {
  readonly sequence: number;
  readonly from: string;
  readonly to: string;
}

/** The stored audit log for a verification. What was appended is never changed: no snapshot is needed. */
export interface LogSource {
  readHead(): Promise<TreeHead | undefined>;
  /** What was archived; `undefined` if nothing was. */
  readStart(): Promise<ArchivedStart | undefined>;
  listKeys(): Promise<LogKey[]>;
  /** The number of the last record, and the size that the checkpoint has at the same moment. */
  readEnd(): Promise<{ readonly lastSequence: number; readonly size: number }>;
  /**
   * The outcomes for ranges in their order, some of which are read at the same time. Rejects when `signal` fires.
   * `start` precedes the first stored record.
   */
  checkRanges(ranges: readonly RecordRange[], signal: AbortSignal, start?: RecordBefore): AsyncIterable<CheckedRange>;
  /** The numbers of producers in the outbox, and in records after `last`, at one moment. */
  readWaiting(last: number): Promise<WaitingNumbers[]>;
  readonly hashes: HashSource;
}
