import type { ExpectationOutcome } from '@waybill/contracts/configuration/expectation';
import type { FileEvent } from '@waybill/contracts/messages/file-event';
import { openDirectory } from '@waybill/directory/open-directory';
import type { Transaction } from '@waybill/postgres/database';
import { bindInputs } from '@waybill/workflow/run/bind-inputs';
import { createKnexJobRegister, type RegisterParts } from '../adapters/jobs/knex-job-register.ts';
import { beginDataflow } from '../domain/jobs/begin-dataflow.ts';
import { jobOfAction } from '../domain/jobs/job-of-action.ts';
import type { Job } from '../domain/jobs/job.ts';
import { startActions, type TriggeredJobs } from '../domain/triggers/start-triggered-jobs.ts';
import { schedulerName } from './start-due-action.ts';

/** What has come of an expectation, and of which due time. */
export interface RaisedOutcome {
  readonly contract: string;
  readonly expectation: string;
  readonly outcome: ExpectationOutcome;
  readonly dueAt: Date;
  readonly files: number;
}

/** Starts the actions that wait for this outcome of a file, which is `event`. */
export async function raiseOfFile(
  trx: Transaction,
  parts: RegisterParts,
  raised: RaisedOutcome,
  event: FileEvent & { readonly id: string },
): Promise<TriggeredJobs> {
  const actions = await openDirectory({ db: trx }).findExpectationActions(raised);
  const eventId = raised.outcome === 'unexpected' ? event.id : eventOf(raised);
  return startActions(createKnexJobRegister(trx, parts), { ...event, id: eventId }, actions, variablesOf(raised));
}

/** Starts the actions that wait for a missed due time. */
export async function raiseMissed(trx: Transaction, parts: RegisterParts, raised: RaisedOutcome): Promise<Job[]> {
  const actions = await openDirectory({ db: trx }).findExpectationActions(raised);
  const register = createKnexJobRegister(trx, parts);
  const started: Job[] = [];
  for (const action of actions) {
    const { contractName: contract, actionName, actorName: actor } = action;
    const job = await register.add({
      ...jobOfAction(action),
      submittedBy: schedulerName,
      variables: bindInputs(action.workflow.inputs, { ...action.variables, ...variablesOf(raised) }),
      dfic: beginDataflow({ contract, action: actionName, actor }),
      chainDepth: 1,
      eventId: eventOf(raised),
    });
    if (job) started.push(job);
  }
  return started;
}

/** An outcome of a due time is one event: even a state that was lost and made again starts an action once. */
function eventOf({ expectation, outcome, dueAt }: RaisedOutcome): string {
  return `expectation:${dueAt.toISOString()}:${outcome}:${expectation}`;
}

function variablesOf({ expectation, outcome, dueAt, files }: RaisedOutcome): Readonly<Record<string, string>> {
  return { expectation, expectationOutcome: outcome, dueAt: dueAt.toISOString(), fileCount: String(files) };
}
