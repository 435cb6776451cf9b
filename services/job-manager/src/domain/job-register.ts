import type { JobId } from '@waybill/contracts/values/job-id';
import type { JobStatus } from '@waybill/contracts/values/job-status';
import type { JobQuery, JobPage } from './job-query.ts';
import type { Job } from './job.ts';
import type { NewJob } from './new-job.ts';
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

/** How far a step has come. */
export interface StepProgress {
  readonly position: number;
  readonly name: string;
  readonly task: string;
  readonly status: 'WAITING' | 'RUNNING' | 'COMPLETED' | 'ERROR';
  readonly attempts: number;
  readonly outputs: Readonly<Record<string, string>>;
  readonly error: string;
}

/** Who changes a status, and why. */
export interface ChangeReason {
  readonly by: string;
  readonly message: string;
}

/** Where jobs are kept. Every change is one transaction with its history and, where a worker is to look, its message. */
export interface JobRegister {
  /** Makes a job and wakes a worker for it. `undefined`: there is one with the same IPID, or of the same event, already. */
  add(job: NewJob): Promise<Job | undefined>;
  find(id: JobId): Promise<Job | undefined>;
  findByIpid(ipid: Buffer): Promise<Job | undefined>;
  list(query: JobQuery): Promise<JobPage>;
  historyOf(id: JobId): Promise<JobChange[]>;
  stepsOf(id: JobId): Promise<StepProgress[]>;
  /** Makes a change that the transition table allows; `undefined` when the job's status does not (or there is no such job). */
  move(id: JobId, transition: TransitionName, reason: ChangeReason): Promise<Job | undefined>;
  /** Has the step that failed begin anew with all its tries, and wakes a worker. */
  resume(id: JobId, reason: ChangeReason): Promise<Job | undefined>;
  /** Makes a job in the place of another; `abort` ends that one in the same transaction, `undefined` when it cannot. */
  replace(id: JobId, successor: NewJob, options: { abort?: ChangeReason }): Promise<Job | undefined>;
  /** Suspends what waits in a queue that is not among these. Answers how many. */
  suspendOutside(enabledQueues: readonly string[], message: string): Promise<number>;
  /** How many jobs in a row led to this file; 0 when no job made it. */
  chainDepthOf(fileset: string): Promise<number>;
}
