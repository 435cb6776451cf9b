import type { JobId } from '@waybill/contracts/values/job-id';
import type { JobStatus } from '@waybill/contracts/values/job-status';
import type { JobChange } from '../jobs/job-register.ts';

/** One change of the status of a job. */
export interface StatusChange {
  /** Its number: a later change of the same job has a higher one. */
  readonly id: number;
  readonly jobId: JobId;
  readonly from: JobStatus | undefined;
  readonly to: JobStatus;
  readonly transition: JobChange['transition'];
  readonly at: Date;
  readonly queue: string;
  readonly contract: string;
  readonly action: string;
}

/** Changes as one snapshot of PostgreSQL has them, by number. */
export interface ChangeBatch {
  readonly changes: readonly StatusChange[];
  /** Every transaction with a lower number than this has ended, as far as the snapshot knows. */
  readonly oldestRunning: bigint;
  /** No transaction had this number or a higher one. */
  readonly nextTransaction: bigint;
}

/** Where changes are read. */
export interface ChangeSource {
  /** The newest changes, of which some with lower numbers may be missing still. */
  newest(limit: number): Promise<ChangeBatch>;
  /** The changes after this number, and those of `late` that have appeared. */
  after(id: number, late: readonly number[], limit: number): Promise<ChangeBatch>;
  /** The changes after one number up to another. */
  between(id: number, through: number, limit: number): Promise<StatusChange[]>;
}
