import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { ErrorCode } from '@waybill/contracts/errors/error-codes';
import { type ActorOfJob, isActorOf } from '../../access/actor-of-job.ts';

/** The columns of the actor `a` that owns something; of what the platform owns the name is empty, and the others are null. */
export const ownerColumns = `coalesce(a.name, '') AS owner, a.id AS "ownerId",
  floor(date_part('epoch', a.created_at) * 1000) AS "ownerSinceMs"`;

/** What `ownerColumns` reads. */
export interface OwnerColumns {
  readonly owner: string;
  readonly ownerId: string | null;
  readonly ownerSinceMs: number | null;
}

/** @throws CodedError if something is of another actor that has got the name of a job's actor */
export function assertOwnerOf(
  job: ActorOfJob,
  { ownerId, ownerSinceMs }: OwnerColumns,
  { code, what }: { readonly code: ErrorCode; readonly what: string },
): void {
  if (ownerId === null || isActorOf(job, { actorId: ownerId, actorSinceMs: ownerSinceMs ?? -Infinity })) return;
  const detail = `${what} is not for this job: its actor ${job.actor} was deleted, and another actor has this name now`;
  throw new CodedError(code, { detail });
}
