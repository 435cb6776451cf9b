import type { JobStatus } from '@waybill/contracts/values/job-status';

/** Whether a job runs no more steps by itself. */
export function isOver(status: JobStatus | undefined): boolean {
  return status === 'COMPLETED' || status === 'ABORTED' || status === 'ERROR';
}
