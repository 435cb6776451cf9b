import type { ActorScope } from '@waybill/access/principal';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { Action } from '@waybill/directory/access/action';
import { type ActorOfJob, isActorOf } from '@waybill/directory/access/actor-of-job';
import type { Directory } from '@waybill/directory/directory';
import { bindInputs } from '@waybill/workflow/run/bind-inputs';
import { beginDataflow } from './begin-dataflow.ts';
import { chainDepthAtMost, endChain } from './chain-limit.ts';
import { computeIpid, computeStepKey } from './compute-ipid.ts';
import { jobOfAction } from './job-of-action.ts';
import { reachesJob } from './job-reach.ts';
import type { JobRegister } from './job-register.ts';
import type { Job } from './job.ts';
import type { NewJob } from './new-job.ts';

/** A submission. */
export interface Submission {
  readonly userName: UserName;
  readonly contractName: string;
  readonly actionName: string;
  /** They win over the variables of the contract. */
  readonly actionVariables: Readonly<Record<string, unknown>>;
  readonly extIPID?: string | undefined;
  /** The actors to which the submitter is limited; contracts of others do not exist for this user. */
  readonly actors?: ActorScope;
  /** The step of a job that submits, if one does. */
  readonly parent?: ParentStep | undefined;
}

/** A step of a job, or an item of one, that submits another job. */
export interface ParentStep {
  readonly job: ActorOfJob & Pick<Job, 'id' | 'dfic' | 'chainDepth'>;
  /** The path of the step. */
  readonly step: string;
  readonly item: number | undefined;
}

/** The job of a submission; not `created` if an earlier one with the same identity has created it. */
export interface SubmittedJob {
  readonly job: Job;
  readonly created: boolean;
}

/**
 * Submits jobs. @throws CodedError `contract_unknown` (for a job also if another actor has the contract), `action_unknown`,
 * `action_not_on_demand`; `validation_failed`: an input is missing or wrong
 */
export type SubmitJob = (submission: Submission) => Promise<SubmittedJob>;

/** Submits jobs: one for each identity, however often and whenever the submission is repeated. */
export function createSubmitJob(ports: {
  directory: Pick<Directory, 'findAction' | 'findActor'>;
  register: Pick<JobRegister, 'add' | 'findByIpid' | 'move'>;
}): SubmitJob {
  const { directory, register } = ports;
  const findAction = async ({ contractName, actionName, parent, actors }: Submission): Promise<Action> => {
    try {
      const action = await directory.findAction(contractName, actionName, parent ? [parent.job.actor] : actors);
      requireSameActor(contractName, action, parent);
      return action;
    } catch (error) {
      if (!isCodedError(error, 'contract_unknown', 'action_unknown')) throw error;
      throw naming(error.code === 'contract_unknown' ? 'contractName' : 'actionName', error, parent);
    }
  };
  return async (given) => {
    const submission = withStoredNames(given);
    let ipid = identityOf(submission);
    const findEarlier = async (): Promise<Job | undefined> => {
      const earlier = ipid && (await register.findByIpid(ipid));
      if (earlier) requireOwnActor(submission, earlier);
      return earlier && (await reachesJob(directory, earlier, submission.actors)) ? earlier : undefined;
    };
    const add = async (action: Action): Promise<Job | undefined> => {
      const added = await register.add(jobOfSubmission(submission, action, ipid));
      const earlier = added ?? (ipid && (await register.findByIpid(ipid)));
      if (added || !earlier || isActorOf(earlier, action)) return added;
      // What was submitted to a former actor of the name was not submitted to this one.
      ipid = identityOf(submission, action.actorId);
      return await register.add(jobOfSubmission(submission, action, ipid));
    };
    try {
      const job = await add(await findAction(submission));
      if (job) return { job: job.chainDepth > chainDepthAtMost ? await endChain(register, job) : job, created: true };
    } catch (error) {
      // The existing job is still the result if its contract was removed or has another trigger.
      const earlier = isCodedError(error) ? await findEarlier() : undefined;
      if (!earlier) throw error;
      return { job: earlier, created: false };
    }
    const earlier = await findEarlier();
    if (!earlier) throw new Error('A job was refused as a duplicate, and there is none');
    return { job: earlier, created: false };
  };
}

/**
 * What submissions have in common that create one job; `undefined`: this one creates another job each time. `successor`: the number of
 * the actor, if a former actor of its name has a job with the same identity.
 */
function identityOf(submission: Submission, successor?: string): Buffer | undefined {
  const { userName: user, contractName: contract, actionName: action, extIPID, parent } = submission;
  if (extIPID !== undefined) return computeIpid({ user, contract, action, extIPID, successor });
  if (!parent) return undefined;
  const { job, step, item } = parent;
  return computeStepKey({ job: job.id, step, item, contract, action });
}

/** A job has the rights of its own actor alone: contracts of others do not exist for it. @throws CodedError `contract_unknown` */
function requireOwnActor({ contractName, parent }: Submission, { actor, actorId }: Job): void {
  if (!parent) return;
  const { job } = parent;
  const isSame = job.actorId === undefined || actorId === undefined || job.actorId === actorId;
  if (job.actor !== actor || !isSame) throw naming('contractName', unknownContract(contractName), parent);
}

/** The actor of a job can be deleted, and another one get its name. @throws CodedError `contract_unknown` */
function requireSameActor(contractName: string, action: Action, parent: ParentStep | undefined): void {
  if (parent && !isActorOf(parent.job, action)) throw unknownContract(contractName);
}

function unknownContract(name: string): CodedError {
  return new CodedError('contract_unknown', { detail: `There is no enabled contract named ${name}` });
}

/** Names have one form in the configuration: a contract has one identity, in whatever form a client writes its name. */
function withStoredNames({ contractName, actionName, ...submission }: Submission): Submission {
  return { ...submission, contractName: contractName.normalize('NFC'), actionName: actionName.normalize('NFC') };
}

type Field = 'contractName' | 'actionName' | 'actionVariables';

/** What the fields of a submission are called as parameters of a step. */
const parameters = { contractName: 'contract', actionName: 'action', actionVariables: 'variables' } as const;

function fieldOf(name: Field, parent: ParentStep | undefined): string {
  return parent ? parameters[name] : name;
}

/** The same error, which names the field of the request or the parameter of the step. */
function naming(name: Field, { code, message, names, cause }: CodedError, parent: ParentStep | undefined): CodedError {
  const field = fieldOf(name, parent);
  return new CodedError(code, { detail: `${field}: ${message}`, fields: [{ field, message }], names, cause });
}

/** The variables of the job. @throws CodedError `validation_failed`, naming the inputs of the workflow that are missing or wrong */
function inputsOf(action: Action, { actionVariables, parent }: Submission): NewJob['variables'] {
  try {
    return bindInputs(action.workflow.inputs, { ...action.variables, ...actionVariables });
  } catch (error) {
    if (!isCodedError(error, 'validation_failed')) throw error;
    const place = fieldOf('actionVariables', parent);
    const fields = error.fields.map(({ field, message }) => ({ field: `${place}.${field}`, message }));
    const detail = fields.map(({ field, message }) => `${field}: ${message}`).join('; ');
    throw new CodedError('validation_failed', { detail, fields, cause: error });
  }
}

function jobOfSubmission(submission: Submission, action: Action, ipid: Buffer | undefined): NewJob {
  const { userName, contractName: contract, actionName, extIPID, parent } = submission;
  if (action.trigger !== 'OnDemand') {
    const detail = `The action ${actionName} of contract ${contract} is started by ${action.trigger}, not on demand`;
    throw naming('actionName', new CodedError('action_not_on_demand', { detail }), parent);
  }
  return {
    ...jobOfAction(action),
    submittedBy: userName,
    variables: inputsOf(action, submission),
    dfic: parent?.job.dfic ?? beginDataflow({ contract, action: actionName, actor: action.actorName }),
    chainDepth: 1 + (parent?.job.chainDepth ?? 0),
    extIPID,
    ipid,
    ...(parent && { submittedIn: { job: parent.job.id, step: parent.step } }),
  };
}
