import type { JobId } from '@waybill/contracts/values/job-id';
import type { JobSpecification } from './job.ts';

/** A job to create. If there was ever one with the same key, none is created. */
export interface NewJob extends JobSpecification {
  /** Of a submission that can be repeated; see `computeIpid`. */
  readonly ipid?: Buffer | undefined;
  /** The job and the step that submit it. */
  readonly submittedIn?: { readonly job: JobId; readonly step: string } | undefined;
  /** The event that starts it: one event starts one action once. */
  readonly eventId?: string | undefined;
}
