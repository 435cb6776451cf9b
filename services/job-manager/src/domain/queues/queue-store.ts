import type { JobId } from '@waybill/contracts/values/job-id';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { WaitFacts } from './explain-wait.ts';

/** An operator's pause of a queue. It does not depend on the configuration. */
export interface QueuePause {
  readonly queue: string;
  readonly by: string;
  readonly at: Date;
  readonly reason: string;
  /** All of that in one sentence, for the jobs that wait. */
  readonly message: string;
}

/** How many jobs of a queue have not ended. */
export interface QueueDepth {
  readonly waiting: number;
  readonly suspended: number;
  readonly running: number;
  /** The one that has waited longest for a worker, or for its queue to open. */
  readonly oldestWaiting?: { readonly id: number; readonly since: Date } | undefined;
}

/** A change of a pause, for the audit log. */
export interface PauseChange {
  readonly queue: string;
  /** Of the queue in the configuration; its name if it was removed. */
  readonly queueId: string;
  readonly by: UserName;
  readonly reason?: string | undefined;
}

/** A job that has not ended and that no worker runs. */
export interface WaitingJob extends Omit<WaitFacts, 'closed' | 'queue'> {
  readonly queue: string;
  /** Jobs of its queue that workers run. */
  readonly queueRunning: number;
}

/** What is stored of queues: pauses and jobs. */
export interface QueueStore {
  pauses(): Promise<QueuePause[]>;
  /** Of all queues that have jobs which have not ended, or of one queue. */
  depths(queue?: string): Promise<ReadonlyMap<string, QueueDepth>>;
  /** `undefined`: the job has ended, or a worker runs it. */
  waitingJob(id: JobId): Promise<WaitingJob | undefined>;
  /** False: the queue is paused already, and nothing has changed. From the commit on, no worker starts a job of the queue. */
  pause(change: PauseChange & { readonly reason: string }): Promise<boolean>;
  /** False: the queue is not paused. */
  resume(change: PauseChange): Promise<boolean>;
}
