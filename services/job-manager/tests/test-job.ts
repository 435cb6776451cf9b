import { jobIdSchema, type JobId } from '@waybill/contracts/values/job-id';
import type { Job } from '../src/domain/jobs/job.ts';
import { jobIn } from './claimable.ts';

/** A job that runs, for tests without a database. */
export function testJob({ id = 7, ...changes }: Partial<Omit<Job, 'id'>> & { id?: number } = {}): Job {
  const createdAt = new Date('2026-03-02T08:15:30.250Z');
  return {
    ...jobIn('default'),
    id: jobIdOf(id),
    workflowInstanceId: id,
    status: 'RUNNING',
    statusMessage: '',
    createdAt,
    updatedAt: createdAt,
    ...changes,
  };
}

/** The number as that of a job. @throws ZodError if no job can have it */
export function jobIdOf(id: unknown): JobId {
  return jobIdSchema.parse(id);
}
