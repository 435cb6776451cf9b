import { createHash } from 'node:crypto';

/** The identity of a submission. */
export interface SubmissionIdentity {
  readonly user: string;
  readonly contract: string;
  readonly action: string;
  readonly extIPID: string;
  /** The number of the actor, if a former actor of its name has a job with the four texts. */
  readonly successor?: string | undefined;
}

/**
 * The internal idempotency identifier (interface 4.B, rule 1): SHA-256, 32 bytes. The four texts are hashed as a JSON
 * array, in which no text can run into its neighbour.
 */
export function computeIpid({ user, contract, action, extIPID, successor }: SubmissionIdentity): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([user, contract, action, extIPID, ...(successor === undefined ? [] : [successor])]))
    .digest();
}

/** What a repeated resubmission has in common with the first. */
export interface ResubmissionIdentity {
  readonly user: string;
  readonly resubmissionOf: number;
  readonly extIPID: string;
}

/** The idempotency key of a resubmission: never that of a submission, whose array has four elements. */
export function computeResubmissionKey({ user, resubmissionOf, extIPID }: ResubmissionIdentity): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([user, resubmissionOf, extIPID]))
    .digest();
}

/** What starts a job without a submission: a file event, or a time of a schedule. */
export interface EventIdentity {
  readonly event: string;
  readonly contract: string;
  readonly action: string;
}

/** The idempotency key of an event for an action: never that of a submission, which is hashed as an array. */
export function computeEventKey({ event, contract, action }: EventIdentity): Buffer {
  return createHash('sha256').update(JSON.stringify({ event, contract, action })).digest();
}

/** A submission by a step of a job, or by one item of it. */
export interface StepSubmissionIdentity {
  readonly job: number;
  /** The path of the step. */
  readonly step: string;
  readonly item: number | undefined;
  readonly contract: string;
  readonly action: string;
}

/** The idempotency key of a submission by a step: the same for all attempts of it. */
export function computeStepKey({ job, step, item = -1, contract, action }: StepSubmissionIdentity): Buffer {
  return createHash('sha256').update(JSON.stringify({ job, step, item, contract, action })).digest();
}
