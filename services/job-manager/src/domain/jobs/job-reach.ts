import type { ActorScope } from '@waybill/access/principal';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { JobId } from '@waybill/contracts/values/job-id';
import type { JobRegister } from './job-register.ts';

/** The error for a job that does not exist, or that the caller does not reach. */
export function unknownJob(id: JobId): CodedError {
  return new CodedError('job_unknown', { detail: `There is no job ${id}`, names: { job: String(id) } });
}

/** Whether a caller who is limited to actors reaches what belongs to this one. */
export function reaches(actors: ActorScope, actor: string): boolean {
  return actors === undefined || actors.includes(actor);
}

/**
 * Refuses a job of another actor as if it did not exist. The actor of a job never changes, so it can be changed afterwards.
 * @throws CodedError `job_unknown`
 */
export async function assertReached(register: Pick<JobRegister, 'find'>, id: JobId, actors: ActorScope): Promise<void> {
  if (actors === undefined) return;
  const job = await register.find(id);
  if (!job || !reaches(actors, job.actor)) throw unknownJob(id);
}
