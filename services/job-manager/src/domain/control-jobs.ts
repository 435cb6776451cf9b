import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { JobId } from '@waybill/contracts/values/job-id';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { JobChange, JobRegister, StepProgress } from './job-register.ts';
import type { Job } from './job.ts';
import { abortableForResubmission, resubmittableFrom } from './transition-table.ts';

/** A job with all that is known of it. */
export interface JobDetail {
  readonly job: Job;
  readonly steps: readonly StepProgress[];
  readonly history: readonly JobChange[];
}

/** What people do to jobs. All throw `job_unknown`, and `job_transition_refused` when the job's status does not allow it. */
export interface JobControl {
  find(id: JobId): Promise<JobDetail>;
  abort(id: JobId, userName: UserName): Promise<Job>;
  resume(id: JobId, userName: UserName): Promise<Job>;
  /** A new job with the same variables, file and workflow revision. `abort`: ends the old one first. */
  resubmit(id: JobId, options: { userName: UserName; abort: boolean }): Promise<Job>;
}

/** What people do to jobs. */
export function createJobControl({ register }: { register: JobRegister }): JobControl {
  const require = async (id: JobId): Promise<Job> => {
    const job = await register.find(id);
    if (job) return job;
    throw new CodedError('job_unknown', { detail: `There is no job ${id}`, names: { job: String(id) } });
  };
  const refuse = async (id: JobId, what: string): Promise<never> => {
    const { status } = await require(id);
    throw new CodedError('job_transition_refused', { detail: `Job ${id} is ${status}: ${what} is not possible` });
  };
  return {
    find: async (id) => ({
      job: await require(id),
      steps: await register.stepsOf(id),
      history: await register.historyOf(id),
    }),
    abort: async (id, userName) =>
      (await register.move(id, 'abort', { by: userName, message: `Aborted by ${userName}` })) ??
      (await refuse(id, 'abort')),
    resume: async (id, userName) =>
      (await register.resume(id, { by: userName, message: `Resumed by ${userName}` })) ?? (await refuse(id, 'resume')),
    resubmit: async (id, { userName, abort }) => {
      const job = await require(id);
      const ended = resubmittableFrom.includes(job.status);
      if (!ended && !(abort && abortableForResubmission.includes(job.status))) return refuse(id, 'resubmit');
      const successor = { ...job, submittedBy: userName, extIPID: undefined, resubmissionOf: id, priority: 5 };
      const made = await register.replace(id, successor, {
        ...(!ended && { abort: { by: userName, message: `Aborted by ${userName}, to be resubmitted` } }),
      });
      return made ?? (await refuse(id, 'resubmit'));
    },
  };
}
