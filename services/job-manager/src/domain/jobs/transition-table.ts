import type { JobStatus } from '@waybill/contracts/values/job-status';

interface Transition {
  readonly from: readonly JobStatus[];
  readonly to: JobStatus;
  /** `user`: a user requests it over HTTP. */
  readonly by: 'platform' | 'user';
  readonly meaning: string;
}

/**
 * Every change of status that a job can go through. Five statements apply it: `move-job`, which takes `from` and `to` from
 * here; `follow-queues` (suspend); `settle-steps` (wait); and the functions `jobs.claim` (start) and `jobs.complete_steps` (complete), whose bodies
 * are in the migrations that docs/database-functions.md names. Nothing else changes a status.
 */
export const transitionTable = {
  suspend: {
    from: ['SUBMITTED'],
    to: 'SUSPENDED',
    by: 'platform',
    meaning: 'The queue of the job is closed or was removed, or the chain of jobs has become too long',
  },
  start: {
    from: ['SUBMITTED', 'SUSPENDED'],
    to: 'RUNNING',
    by: 'platform',
    meaning: 'A worker has claimed the job',
  },
  wait: {
    from: ['RUNNING'],
    to: 'SUSPENDED',
    by: 'platform',
    meaning: 'A step waits for a time, a file or an approval',
  },
  complete: { from: ['RUNNING'], to: 'COMPLETED', by: 'platform', meaning: 'All steps are done' },
  fail: {
    from: ['RUNNING', 'SUSPENDED'],
    to: 'ERROR',
    by: 'platform',
    meaning: 'A step has failed and has no attempts left, or the chain of jobs has become too long',
  },
  abort: {
    from: ['SUBMITTED', 'SUSPENDED', 'RUNNING', 'ERROR'],
    to: 'ABORTED',
    by: 'user',
    meaning: 'A user has stopped the job',
  },
  resume: {
    from: ['SUSPENDED', 'ERROR'],
    to: 'RUNNING',
    by: 'user',
    meaning: 'A user has resumed the job at the step that failed or was not begun',
  },
} as const satisfies Record<string, Transition>;

/** The name of a change of status. */
export type TransitionName = keyof typeof transitionTable;

/** The statuses from which a job can be resubmitted as a new job. The old job does not change. */
export const resubmittableFrom: readonly JobStatus[] = ['ABORTED', 'COMPLETED'];

/** The statuses that a job can be aborted in and, resubmitted from in one request. */
export const abortableForResubmission: readonly JobStatus[] = ['RUNNING', 'ERROR'];

/** True if a job of this status can make this change. */
export function canMove(status: JobStatus, transition: TransitionName): boolean {
  return sourcesOf(transition).includes(status);
}

/** The statuses that a change can start from. */
export function sourcesOf(transition: TransitionName): readonly JobStatus[] {
  return transitionTable[transition].from;
}
