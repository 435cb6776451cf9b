import type { ActorScope } from '@waybill/access/principal';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { JobId } from '@waybill/contracts/values/job-id';
import { type ActorOfJob, isActorOf } from '@waybill/directory/access/actor-of-job';
import type { Directory } from '@waybill/directory/directory';
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
 * Whether a caller who is limited to actors reaches a job: that of an actor of these names. The jobs of an actor that was deleted do not
 * belong to one that has got its name since.
 */
export async function reachesJob(
  directory: Pick<Directory, 'findActor'>,
  job: ActorOfJob,
  actors: ActorScope,
): Promise<boolean> {
  if (actors === undefined) return true;
  const named = actors.includes(job.actor) ? await directory.findActor(job.actor) : undefined;
  return named !== undefined && isActorOf(job, named);
}

/** What is asked about jobs and their actors. */
export interface ReachParts {
  readonly register: Pick<JobRegister, 'find'>;
  readonly directory: Pick<Directory, 'findActor'>;
}

/**
 * Refuses a job of another actor as if it did not exist. The actor of a job never changes, so it can be changed afterwards.
 * @throws CodedError `job_unknown`
 */
export async function assertReached({ register, directory }: ReachParts, id: JobId, actors: ActorScope): Promise<void> {
  if (actors === undefined) return;
  const job = await register.find(id);
  if (!job || !(await reachesJob(directory, job, actors))) throw unknownJob(id);
}
