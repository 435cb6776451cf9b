import type { StepView } from '@waybill/contracts/endpoints/jobs/job-detail';
import type { JobStatus } from '@waybill/contracts/values/job-status';
import { texts } from '../texts/texts.ts';

/** The status of a job: a word, and a colour for those who see it. */
export function JobStatusBadge({ status }: { readonly status: JobStatus }) {
  return (
    <span className="badge" data-status={status}>
      {texts.jobs.jobStatus[status]}
    </span>
  );
}

/** The status of a step. */
export function StepStatusBadge({ status }: { readonly status: StepView['status'] }) {
  return (
    <span className="badge" data-status={status}>
      {texts.jobs.stepStatus[status]}
    </span>
  );
}
