import type { JobSpecification } from './job.ts';

/** A job to create. If there was ever one with the same key, none is created. */
export interface NewJob extends JobSpecification {
  /** Of a submission that can be repeated; see `computeIpid`. */
  readonly ipid?: Buffer | undefined;
  /** The event that starts it: one event starts one action once. */
  readonly eventId?: string | undefined;
}
