import {
  assertResubmittable,
  newestOf,
  refusal,
  resubmissionKeyOf,
  type Resubmission,
  type Resumption,
  type Requester,
  type Workflows,
} from './control-jobs.ts';
import type { JobRegister } from './job-register.ts';
import type { Job } from './job.ts';
import { continuationOf, describeRevisionChange } from './revision-change.ts';
import { canMove } from './transition-table.ts';

/** What would become of a job: what changes, for people, or the job that an earlier resubmission has created. */
export interface Preview {
  readonly message: string;
  readonly earlier?: Job | undefined;
}

/** Tells what a change of a job would do, without making it. All throw what the change would throw. */
export interface ChangePreview {
  abort(job: Job, by: Requester): Promise<Preview>;
  resume(job: Job, resumption: Resumption): Promise<Preview>;
  resubmit(job: Job, resubmission: Resubmission): Promise<Preview>;
}

/** Tells what changes of jobs would do. */
export function createChangePreview(ports: {
  register: Pick<JobRegister, 'stepsOf' | 'findByIpid'>;
  directory: Workflows;
}): ChangePreview {
  const { register, directory } = ports;
  const assertMovable = ({ id, status }: Job, transition: 'abort' | 'resume', { onlyFrom }: Requester): void => {
    if (!canMove(status, transition) || onlyFrom?.includes(status) === false) throw refusal(id, status, transition);
  };
  return {
    abort: (job, by) => {
      assertMovable(job, 'abort', by);
      return Promise.resolve({ message: 'It would be aborted' });
    },
    resume: async (job, resumption) => {
      assertMovable(job, 'resume', resumption);
      const change = resumption.revision === 'latest' ? await newestOf(directory, job) : undefined;
      if (!change) return { message: 'It would be resumed' };
      continuationOf(change, await register.stepsOf(job.id));
      return { message: `It would be resumed ${describeRevisionChange(change) ?? ''}` };
    },
    resubmit: async (job, resubmission) => {
      const ipid = resubmissionKeyOf(job.id, resubmission);
      const earlier = ipid && (await register.findByIpid(ipid));
      if (earlier) return { message: `It was resubmitted as job ${earlier.id}`, earlier };
      assertResubmittable(job, resubmission);
      if (resubmission.revision === 'latest') await directory.findAction(job.contract, job.contractAction);
      return { message: 'It would be resubmitted' };
    },
  };
}
