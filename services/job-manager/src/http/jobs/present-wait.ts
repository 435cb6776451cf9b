import type { JobDetailView } from '@waybill/contracts/endpoints/jobs/job-detail';
import type { Job } from '../../domain/jobs/job.ts';
import type { Wait } from '../../domain/queues/explain-wait.ts';

/** What a job waits for. The message of a job that has not begun is that; one that has begun says what happened before. */
export function presentWait(
  { status, statusMessage }: Job,
  { kind, message, until, ahead }: Wait,
): Pick<JobDetailView, 'statusMessage' | 'waitingFor'> {
  return {
    statusMessage: status === 'SUBMITTED' || status === 'SUSPENDED' ? message : statusMessage,
    waitingFor: {
      kind,
      message,
      ...(until !== undefined && { until: until.toISOString() }),
      ...(ahead !== undefined && { ahead }),
    },
  };
}
