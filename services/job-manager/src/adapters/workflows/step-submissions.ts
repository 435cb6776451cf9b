import { openDirectory } from '@waybill/directory/open-directory';
import type { Database } from '@waybill/postgres/database';
import { readPlace } from '@waybill/workflow/run/step-place';
import { Interruption } from '../../domain/jobs/interruption.ts';
import type { Hold } from '../../domain/jobs/job-ledger.ts';
import type { Job } from '../../domain/jobs/job.ts';
import { createSubmitJob } from '../../domain/jobs/submit-job.ts';
import type { StepSubmissions } from '../../domain/workflows/step-submissions.ts';
import type { JobManagerEvents } from '../../events.ts';
import { isStillHeld } from '../jobs/held-job.ts';
import { createKnexJobRegister, type RegisterParts } from '../jobs/knex-job-register.ts';

/** Where submitted jobs are stored, reported and announced. */
export interface SubmissionParts extends RegisterParts {
  readonly db: Database;
  readonly events: Pick<JobManagerEvents, 'jobSubmitted' | 'chainTooLong'>;
}

/** The step that submits jobs; `step` is its path. */
export interface SubmittingStep {
  readonly job: Job;
  readonly hold: Hold;
  readonly position: number;
  readonly step: string;
}

/** The jobs that a step submits. In one transaction its own job is found to be held, and the other one is created and audited. */
export function createStepSubmissions(
  { db, events, ...parts }: SubmissionParts,
  { job: parent, hold, position, step }: SubmittingStep,
): StepSubmissions {
  const { item } = readPlace(position);
  return {
    submitJob: async ({ contract, action, variables, extIPID }) => {
      const submitted = await db.transaction(async (trx) => {
        if (!(await isStillHeld(trx, hold))) throw new Interruption('lost');
        const register = createKnexJobRegister(trx, parts);
        return await createSubmitJob({ directory: openDirectory({ db: trx }), register })({
          userName: parent.submittedBy,
          contractName: contract,
          actionName: action,
          actionVariables: variables,
          extIPID,
          parent: { job: parent, step, item },
        });
      });
      const { job, created } = submitted;
      if (created && job.status === 'ERROR') events.chainTooLong(job);
      else if (created) events.jobSubmitted(job);
      return submitted;
    },
  };
}
