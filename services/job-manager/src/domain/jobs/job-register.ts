import type { JobId } from '@waybill/contracts/values/job-id';
import type { JobStatus } from '@waybill/contracts/values/job-status';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { QueueSettings } from '../queues/queue-settings.ts';
import type { Decision } from '../queues/step-wait.ts';
import type { StepProgress } from './job-ledger.ts';
import type { JobQuery, JobPage } from './job-query.ts';
import type { Job } from './job.ts';
import type { NewJob } from './new-job.ts';
import type { RevisionChange } from './revision-change.ts';
import type { TransitionName } from './transition-table.ts';

/** One change of a job's status. */
export interface JobChange {
  readonly at: Date;
  readonly from: JobStatus | undefined;
  readonly to: JobStatus;
  readonly transition: TransitionName | 'submit';
  readonly by: string;
  readonly message: string;
}

/** There is a job with the same IPID. */
export class DuplicateJobError extends Error {
  override readonly name = 'DuplicateJobError';
}

/** Who changes a status, and why. */
export interface ChangeReason {
  readonly by: string;
  readonly message: string;
  /** In the words of the user, if one gave a reason. */
  readonly reason?: string | undefined;
  /** The change is not made if the job has none of these statuses by now. */
  readonly onlyFrom?: readonly JobStatus[] | undefined;
  /** How the revision of the workflow changes, as `describeRevisionChange` has it. */
  readonly revisionChange?: string | undefined;
}

/** Who decides about a job that waits for an approval. */
export interface Decider {
  readonly userName: UserName;
  readonly roles: readonly string[];
  readonly reason?: string | undefined;
  /** The step that is meant; any if it is absent. */
  readonly step?: string | undefined;
}

/** How a job is replaced. */
export interface ReplaceOptions {
  /** Ends the job that is replaced. */
  readonly abort?: ChangeReason | undefined;
  /** In the words of the user, if one gave a reason. */
  readonly reason?: string | undefined;
  /** How the revision of the workflow changes. */
  readonly revisionChange?: string | undefined;
}

/** A change with its number, which grows with the changes of a job. */
export interface NumberedChange extends JobChange {
  readonly id: number;
}

/** A part of the history of a job. */
export interface HistoryPage {
  readonly limit: number;
  readonly order: 'newest' | 'oldest';
  /** The number of the change before the page; `undefined`: the page is the first. */
  readonly after: number | undefined;
}

/** The store of jobs. Every change is one transaction with its history; workers are told after its commit. */
export interface JobRegister {
  /**
   * Creates a job, which is ready for a worker. `undefined`: there is, or was, one with the same IPID, or of the same
   * event.
   */
  add(job: NewJob): Promise<Job | undefined>;
  find(id: JobId): Promise<Job | undefined>;
  /** @throws CodedError `job_removed` if retention has removed the job since */
  findByIpid(ipid: Buffer): Promise<Job | undefined>;
  list(query: JobQuery): Promise<JobPage>;
  historyOf(id: JobId): Promise<JobChange[]>;
  historyPage(id: JobId, page: HistoryPage): Promise<NumberedChange[]>;
  stepsOf(id: JobId): Promise<StepProgress[]>;
  /** What was begun of the items of steps with `foreach`, between two numbers. */
  itemsOf(id: JobId, range: { readonly first: number; readonly last: number }): Promise<StepProgress[]>;
  /** How many items of each step have each status, by the positions of the steps. */
  countItems(id: JobId): Promise<ReadonlyMap<number, Readonly<Record<string, number>>>>;
  /**
   * Makes a change that the transition table allows; `undefined` if the job's status does not allow it (or there is
   * no such job).
   */
  move(id: JobId, transition: TransitionName, reason: ChangeReason): Promise<Job | undefined>;
  /**
   * Stores the decision of a user about a job that waits for an approval, and lets it go on. @throws CodedError
   * `approval_not_permitted`; `undefined`: the job waits for none, or at another step
   */
  decide(id: JobId, decision: Decision['decision'], by: Decider): Promise<Job | undefined>;
  /**
   * Restarts the failed step with all its attempts; the job is ready for a worker. `change`: it continues with another
   * revision; `undefined`, too, if the job has not the revision any more that is replaced. @throws CodedError
   * `job_revision_refused`, and nothing has changed
   */
  resume(id: JobId, reason: ChangeReason, change?: RevisionChange): Promise<Job | undefined>;
  /**
   * Creates a job that replaces another; `abort` ends that one in the same transaction; `undefined` if that is not
   * possible. @throws DuplicateJobError, and nothing has changed
   */
  replace(id: JobId, successor: NewJob, options: ReplaceOptions): Promise<Job | undefined>;
  /**
   * Suspends the jobs that wait in a queue that is closed or was removed, and lets those go on whose queue is open.
   * Returns how many were suspended.
   */
  followQueues(queues: readonly QueueSettings[]): Promise<number>;
  /** The length of the chain of jobs that led to this file; 0 if no job wrote it. */
  chainDepthOf(fileset: string): Promise<number>;
}
