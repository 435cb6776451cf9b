import type { JobRegister } from './job-register.ts';
import type { Job } from './job.ts';

/** Jobs in a row, each started by a file of the one before or submitted by it, after which a dataflow counts as endless. */
export const chainDepthAtMost = 16;

/** Ends a job that exceeds the length of its chain before it runs. It stays visible, in ERROR. */
export async function endChain(register: Pick<JobRegister, 'move'>, job: Job): Promise<Job> {
  const message = `The dataflow has gone through ${chainDepthAtMost} jobs in a row: its contracts start one another without end`;
  await register.move(job.id, 'suspend', { by: 'platform', message });
  return (await register.move(job.id, 'fail', { by: 'platform', message })) ?? job;
}
