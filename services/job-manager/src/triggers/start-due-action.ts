import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import type { Action } from '@waybill/directory/access/action';
import { openDirectory } from '@waybill/directory/open-directory';
import type { Database, Transaction } from '@waybill/postgres/database';
import { bindInputs } from '@waybill/workflow/run/bind-inputs';
import { createKnexJobRegister, type RegisterParts } from '../adapters/jobs/knex-job-register.ts';
import {
  changeSchedule,
  type Clock,
  removeSchedule,
  takeDueSchedule,
  type TakenSchedule,
} from '../adapters/triggers/schedule-store.ts';
import { beginDataflow } from '../domain/jobs/begin-dataflow.ts';
import { jobOfAction } from '../domain/jobs/job-of-action.ts';
import type { Job } from '../domain/jobs/job.ts';
import type { NewJob } from '../domain/jobs/new-job.ts';
import { type PlannedTime, planStart, type ScheduledAction } from '../domain/triggers/plan-start.ts';
import { timeAfterChange } from './sync-schedules.ts';

/** What came of a schedule that was due. */
export interface StartOutcome extends ScheduledAction {
  /** The job that was created, and the time that it belongs to. */
  readonly started: { readonly job: Job; readonly time: PlannedTime; readonly at: Date } | undefined;
  /** Whether times were missed that are not made up for. */
  readonly skipsSome: boolean;
}

/** An action could not be started. Its schedule is as it was before. */
export class StartFailure extends Error {
  readonly schedule: ScheduledAction & { readonly id: string };

  constructor(schedule: ScheduledAction & { readonly id: string }, cause: unknown) {
    super(`The action ${schedule.contract}/${schedule.action} could not be started`, { cause });
    this.schedule = schedule;
  }
}

/** What a start works with: `except` are the ids of schedules that are passed over. */
export interface StartOptions {
  readonly register: RegisterParts;
  readonly clock: Clock;
  readonly except: readonly string[];
}

/** Submits the jobs of Time actions. No user has this name: names of users have no blanks. */
export const schedulerName = userNameSchema.parse('Waybill scheduler');

/**
 * Starts the action that is due first, if there is one that no other scheduler works on: in one transaction, its job is
 * created and its schedule moves on. `undefined`: there is none. @throws StartFailure
 */
export async function startDueAction(db: Database, options: StartOptions): Promise<StartOutcome | undefined> {
  let taken: TakenSchedule | undefined;
  try {
    return await db.transaction(async (trx) => {
      taken = await takeDueSchedule(trx, options);
      return taken && (await startTaken(trx, taken, options.register));
    });
  } catch (error) {
    throw taken ? new StartFailure(taken, error) : error;
  }
}

async function startTaken(trx: Transaction, taken: TakenSchedule, parts: RegisterParts): Promise<StartOutcome> {
  const { contract, action: name, definition, scheduledAt, now } = taken;
  const nothing = { contract, action: name, started: undefined, skipsSome: false };
  const action = await findTimeAction(trx, taken);
  if (!action?.schedule) {
    await removeSchedule(trx, taken);
    return nothing;
  }
  const restart = timeAfterChange(taken, action.schedule, now);
  if (restart) {
    await changeSchedule(trx, taken, { definition: action.schedule, time: restart });
    return nothing;
  }
  const { start, skipsSome, next } = planStart(scheduledAt, now, action.schedule, taken);
  const job = start && (await createKnexJobRegister(trx, parts).add(jobOfTime(action, start)));
  await changeSchedule(trx, taken, { definition, time: next });
  return { contract, action: name, started: start && job && { job, time: start, at: now }, skipsSome };
}

async function findTimeAction(trx: Transaction, { contract, action }: ScheduledAction): Promise<Action | undefined> {
  try {
    return await openDirectory({ db: trx }).findAction(contract, action);
  } catch (error) {
    if (isCodedError(error, 'contract_unknown') || isCodedError(error, 'action_unknown')) return undefined;
    throw error;
  }
}

/** The time is the event that starts it: even a schedule that was lost and made again starts it once. */
function jobOfTime(action: Action, { scheduledAt }: PlannedTime): NewJob {
  const { contractName: contract, actionName, actorName: actor } = action;
  return {
    ...jobOfAction(action),
    submittedBy: schedulerName,
    variables: bindInputs(action.workflow.inputs, action.variables),
    dfic: beginDataflow({ contract, action: actionName, actor }),
    chainDepth: 1,
    eventId: `time:${scheduledAt.toISOString()}`,
  };
}
