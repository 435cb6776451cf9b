import {
  assertResubmittable,
  newestOf,
  presentActionOf,
  refusal,
  resubmissionKeyOf,
  type Resubmission,
  type Resumption,
  type Requester,
  type Workflows,
} from './control-jobs.ts';
import type { JobRegister } from './job-register.ts';
import type { Job, ListedJob } from './job.ts';
import { continuationOf, describeRevisionChange } from './revision-change.ts';
import { canMove, resubmittableFrom } from './transition-table.ts';

/** What would become of a job: what changes, for people, or the job that an earlier resubmission has created. */
export interface Preview {
  readonly message: string;
  readonly earlier?: Job | undefined;
}

/** Tells what a change of a job would do, without making it. All throw what the change would throw. */
export interface ChangePreview {
  abort(job: ListedJob, by: Requester): Promise<Preview>;
  resume(job: ListedJob, resumption: Resumption): Promise<Preview>;
  resubmit(job: ListedJob, resubmission: Resubmission): Promise<Preview>;
}

/** Tells what changes of jobs would do. */
export function createChangePreview(ports: {
  register: Pick<JobRegister, 'find' | 'stepsOf' | 'findByIpid'>;
  directory: Workflows;
}): ChangePreview {
  const { register, directory } = ports;
  const assertMovable = ({ id, status }: ListedJob, transition: 'abort' | 'resume', { onlyFrom }: Requester): void => {
    if (!canMove(status, transition) || onlyFrom?.includes(status) === false) throw refusal(id, status, transition);
  };
  return {
    abort: (job, by) => {
      assertMovable(job, 'abort', by);
      return Promise.resolve({ message: 'It would be aborted' });
    },
    resume: async (job, resumption) => {
      assertMovable(job, 'resume', resumption);
      const whole = resumption.revision === 'latest' && (await register.find(job.id));
      const change = whole ? await newestOf(directory, whole) : undefined;
      if (!change) return { message: 'It would be resumed' };
      continuationOf(change, await register.stepsOf(job.id));
      return { message: `It would be resumed ${describeRevisionChange(change) ?? ''}` };
    },
    resubmit: async (job, resubmission) => {
      const ipid = resubmissionKeyOf(job.id, resubmission);
      const earlier = ipid && (await register.findByIpid(ipid));
      if (earlier) return { message: `It was resubmitted as job ${earlier.id}`, earlier };
      assertResubmittable(job, resubmission);
      if (resubmission.revision === 'latest') await presentActionOf(directory, job);
      const isAborted = resubmission.abort && !resubmittableFrom.includes(job.status);
      return { message: isAborted ? 'It would be aborted and resubmitted' : 'It would be resubmitted' };
    },
  };
}
