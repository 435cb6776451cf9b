import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { JobId } from '@waybill/contracts/values/job-id';
import type { JobStatus } from '@waybill/contracts/values/job-status';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { Action } from '@waybill/directory/access/action';
import { type ActorOfJob, formerActorId, isActorOf } from '@waybill/directory/access/actor-of-job';
import type { Directory } from '@waybill/directory/directory';
import type { Decision } from '../queues/step-wait.ts';
import { computeResubmissionKey } from './compute-ipid.ts';
import type { StepProgress } from './job-ledger.ts';
import { jobOfAction } from './job-of-action.ts';
import { unknownJob } from './job-reach.ts';
import {
  type Decider,
  DuplicateJobError,
  type ChangeReason,
  type JobChange,
  type JobRegister,
} from './job-register.ts';
import type { Job } from './job.ts';
import { describeRevisionChange, workflowOf, type RevisionChange } from './revision-change.ts';
import { findItems, type ShownItems, withInnerSteps } from './shown-items.ts';
import { abortableForResubmission, canMove, resubmittableFrom } from './transition-table.ts';

/** A job with all that is known of it. */
export interface JobDetail {
  readonly job: Job;
  readonly steps: readonly StepProgress[];
  readonly history: readonly JobChange[];
  /** Of steps with `foreach`. */
  readonly items: readonly ShownItems[];
}

/** What is shown of a job that has much. */
export interface ShownDetail {
  /** The first item that is shown of each step with `foreach`. */
  readonly itemsFrom: number;
  readonly history: 'all' | 'none';
}

/** Who changes a job. */
export interface Requester {
  readonly userName: UserName;
  /** Why, in the words of the user. */
  readonly reason?: string | undefined;
  /** Refuses the change if the job has none of these statuses by now. */
  readonly onlyFrom?: readonly JobStatus[] | undefined;
}

/** How a job is resumed. */
export interface Resumption extends Requester {
  /** The revision of the workflow: the one that the job has, or the newest of its template. */
  readonly revision: 'same' | 'latest';
}

/** A resubmission. */
export interface Resubmission extends Requester {
  /** Ends the old job first. */
  readonly abort: boolean;
  /** Repeating a resubmission with it makes no second job. */
  readonly extIPID?: string | undefined;
  /** The revision of the workflow: the one that the job had, or that which the contract names now. */
  readonly revision: 'same' | 'latest';
}

/** What people do to jobs. All throw `job_unknown`, and `job_transition_refused` when the job's status does not allow it. */
export interface JobControl {
  /** `itemsFrom`: the number of the first item that is shown of each step. */
  find(id: JobId, shown: ShownDetail): Promise<JobDetail>;
  abort(id: JobId, by: Requester): Promise<Job>;
  /** @throws CodedError `approval_not_awaited`, `approval_not_permitted` */
  decide(id: JobId, decision: Decision['decision'], by: Decider): Promise<Job>;
  /** @throws CodedError `job_revision_refused` too, for the latest revision */
  resume(id: JobId, resumption: Resumption): Promise<Job>;
  /**
   * A new job with the same variables and file; not `created` if the same resubmission has created it before. @throws
   * CodedError `contract_unknown`, `action_unknown` too, for the latest revision; `job_removed` if that job is gone
   */
  resubmit(id: JobId, resubmission: Resubmission): Promise<{ job: Job; created: boolean }>;
}

/** Where the newest workflows are. */
export type Workflows = Pick<Directory, 'findAction' | 'findActor' | 'findNewestRevision'>;

/** A job can change its status between a look at it and the change that this would allow: then it is looked at again. */
const looksAtMost = 5;

/** What changes to jobs need. */
export interface JobControlPorts {
  readonly register: JobRegister;
  readonly directory: Workflows;
  /** A job was aborted, to be resubmitted or not. */
  onAborted?(job: Job): void;
}

/** What people do to jobs. */
export function createJobControl(ports: JobControlPorts): JobControl {
  const { register, directory, onAborted } = ports;
  const require = async (id: JobId): Promise<Job> => {
    const job = await register.find(id);
    if (job) return job;
    throw unknownJob(id);
  };
  const change = async (
    id: JobId,
    transition: 'abort' | 'resume',
    { onlyFrom }: Requester,
    make: () => Promise<Job | undefined>,
  ): Promise<Job> => {
    for (let looks = 0; looks < looksAtMost; looks += 1) {
      const made = await make();
      if (made) return made;
      const { status } = await require(id);
      if (!canMove(status, transition) || onlyFrom?.includes(status) === false) throw refusal(id, status, transition);
    }
    throw refusal(id, (await require(id)).status, transition);
  };
  return {
    find: async (id, { itemsFrom, history }) => {
      const job = await require(id);
      const items = await findItems(register, job, itemsFrom);
      const steps = await register.stepsOf(id);
      const changes = history === 'none' ? [] : await register.historyOf(id);
      return { job, steps: withInnerSteps(job, steps, items), history: changes, items };
    },
    abort: async (id, by) => {
      const aborted = await change(id, 'abort', by, () => register.move(id, 'abort', reasonOf('Aborted', by)));
      onAborted?.(aborted);
      return aborted;
    },
    decide: async (id, decision, by) => (await register.decide(id, decision, by)) ?? refuseDecision(await require(id)),
    resume: (id, by) =>
      change(id, 'resume', by, async () => {
        if (by.revision === 'same') return await register.resume(id, reasonOf('Resumed', by));
        const revisionChange = await newestOf(directory, await require(id));
        const described = revisionChange && describeRevisionChange(revisionChange);
        return await register.resume(id, reasonOf('Resumed', by, described), revisionChange);
      }),
    resubmit: async (id, resubmission) => {
      // Repeatable even when the first job has been removed.
      const ipid = resubmissionKeyOf(id, resubmission);
      const earlier = ipid && (await register.findByIpid(ipid));
      return earlier ? { job: earlier, created: false } : resubmit(ports, await require(id), resubmission);
    },
  };
}

async function resubmit(
  { register, directory, onAborted }: JobControlPorts,
  job: Job,
  resubmission: Resubmission,
): Promise<{ job: Job; created: boolean }> {
  const { userName, reason, extIPID, revision, onlyFrom } = resubmission;
  const ipid = resubmissionKeyOf(job.id, resubmission);
  assertResubmittable(job, resubmission);
  const ended = resubmittableFrom.includes(job.status);
  const latest = revision === 'latest' && jobOfAction(await presentActionOf(directory, job));
  const actorId = await actorIdOf(directory, job);
  const successor = { ...job, actorId, ...latest, submittedBy: userName, extIPID, ipid, resubmissionOf: job.id };
  try {
    const abortion = { by: userName, message: `Aborted by ${userName}, to be resubmitted`, reason, onlyFrom };
    const revisionChange = describeRevisionChange({ before: job.workflow, now: successor.workflow });
    const options = { abort: ended ? undefined : abortion, reason, revisionChange };
    const made = await register.replace(job.id, successor, options);
    if (made && !ended) onAborted?.(job);
    if (made) return { job: made, created: true };
  } catch (error) {
    const duplicate = error instanceof DuplicateJobError && ipid && (await register.findByIpid(ipid));
    if (!duplicate) throw error;
    return { job: duplicate, created: false };
  }
  // Another change was quicker: perhaps the same resubmission.
  const same = ipid && (await register.findByIpid(ipid));
  if (same) return { job: same, created: false };
  throw refusal(job.id, (await register.find(job.id))?.status ?? job.status, 'resubmit');
}

/**
 * The action of a job, as the contract has it now. A contract of the same name that another actor has got is not that of the job.
 * @throws CodedError `contract_unknown`, `action_unknown`
 */
export async function presentActionOf(
  directory: Pick<Directory, 'findAction'>,
  job: ActorOfJob & Pick<Job, 'contract' | 'contractAction'>,
): Promise<Action> {
  const action = await directory.findAction(job.contract, job.contractAction, [job.actor]);
  if (isActorOf(job, action)) return action;
  const detail = `The contract ${job.contract} is of another actor: the actor ${job.actor} of the job was deleted`;
  throw new CodedError('contract_unknown', { detail });
}

/** The number of the actor of a job, also of a job that was created without it. */
async function actorIdOf(directory: Pick<Directory, 'findActor'>, job: ActorOfJob): Promise<string> {
  if (job.actorId !== undefined) return job.actorId;
  const present = await directory.findActor(job.actor);
  return present && isActorOf(job, present) ? present.actorId : formerActorId;
}

/** Under which the same resubmission is found again; `undefined`: it has no identifier. */
export function resubmissionKeyOf(id: JobId, { userName: user, extIPID }: Resubmission): Buffer | undefined {
  return extIPID === undefined ? undefined : computeResubmissionKey({ user, resubmissionOf: id, extIPID });
}

/** @throws CodedError `approval_not_awaited` */
function refuseDecision({ id, status }: Job): never {
  throw new CodedError('approval_not_awaited', { detail: `Job ${id} is ${status} and waits for no approval` });
}

/** @throws CodedError `job_transition_refused` */
export function assertResubmittable(
  { id, status }: Pick<Job, 'id' | 'status'>,
  { abort, onlyFrom }: Resubmission,
): void {
  const allowed = resubmittableFrom.includes(status) || (abort && abortableForResubmission.includes(status));
  if (!allowed || onlyFrom?.includes(status) === false) throw refusal(id, status, 'resubmit');
}

/** The change to the newest revision of the job's template; `undefined` if the job has it. */
export async function newestOf(directory: Workflows, { workflow }: Job): Promise<RevisionChange | undefined> {
  const newest = await directory.findNewestRevision(workflow.templateId);
  if (!newest || newest.revision === workflow.templateRevision) return undefined;
  return { before: workflow, now: workflowOf(newest) };
}

function reasonOf(what: string, { userName, reason, onlyFrom }: Requester, revisionChange?: string): ChangeReason {
  const change = revisionChange === undefined ? '' : ` ${revisionChange}`;
  const given = reason === undefined ? '' : `: ${reason}`;
  return { by: userName, message: `${what} by ${userName}${change}${given}`, reason, onlyFrom, revisionChange };
}

/** A change that the status of the job does not allow. */
export function refusal(id: JobId, status: JobStatus, what: string): CodedError {
  return new CodedError('job_transition_refused', { detail: `Job ${id} is ${status}: ${what} is not possible` });
}
