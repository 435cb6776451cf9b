import { submitJobSpecification } from '@waybill/contracts/tasks/flow-specifications';
import { defineTask } from '../define-task.ts';

/** Submits another job. One that would make its chain of jobs too long is submitted, and ends in ERROR at once. */
export const submitJobTask = defineTask({
  ...submitJobSpecification,
  run: async ({ contract, action, variables, extIPID }, { submissions, log }) => {
    const { job, created } = await submissions.submitJob({ contract, action, variables, extIPID });
    const { id, status, statusMessage } = job;
    const stopped = status === 'ERROR' ? `, which has failed: ${statusMessage}` : '';
    log(`${created ? 'Submitted job' : 'Found job'} ${id} of ${contract}/${action}${stopped}`);
    return { jobId: String(id) };
  },
});
