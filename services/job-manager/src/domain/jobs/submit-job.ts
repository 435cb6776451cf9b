import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { Action } from '@waybill/directory/access/action';
import type { Directory } from '@waybill/directory/directory';
import { bindInputs } from '@waybill/workflow/run/bind-inputs';
import { beginDataflow } from './begin-dataflow.ts';
import { computeIpid } from './compute-ipid.ts';
import { jobOfAction } from './job-of-action.ts';
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
}

/** The job of a submission; not `created` if an earlier one with the same identity has created it. */
export interface SubmittedJob {
  readonly job: Job;
  readonly created: boolean;
}

/** Submits jobs. @throws CodedError `contract_unknown`, `action_unknown`, `action_not_on_demand` */
export type SubmitJob = (submission: Submission) => Promise<SubmittedJob>;

/** Submits jobs: one for each identity, however often and whenever the submission is repeated. */
export function createSubmitJob(ports: {
  directory: Pick<Directory, 'findAction'>;
  register: Pick<JobRegister, 'add' | 'findByIpid'>;
}): SubmitJob {
  const { directory, register } = ports;
  const findAction = (contract: string, action: string): Promise<Action> =>
    directory.findAction(contract, action).catch((error: unknown) => {
      throw isCodedError(error, 'contract_unknown', 'action_unknown')
        ? naming(error.code === 'contract_unknown' ? 'contractName' : 'actionName', error)
        : error;
    });
  return async (given) => {
    const submission = withStoredNames(given);
    const { userName: user, contractName: contract, actionName: action, extIPID } = submission;
    const ipid = extIPID === undefined ? undefined : computeIpid({ user, contract, action, extIPID });
    const findEarlier = async (): Promise<Job | undefined> => ipid && (await register.findByIpid(ipid));
    try {
      const job = await register.add(jobOfSubmission(submission, await findAction(contract, action), ipid));
      if (job) return { job, created: true };
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

/** Names have one form in the configuration: a contract has one identity, in whatever form a client writes its name. */
function withStoredNames({ contractName, actionName, ...submission }: Submission): Submission {
  return { ...submission, contractName: contractName.normalize('NFC'), actionName: actionName.normalize('NFC') };
}

/** The same error, which names the field of the request. */
function naming(field: string, { code, message, names, cause }: CodedError): CodedError {
  return new CodedError(code, { detail: `${field}: ${message}`, fields: [{ field, message }], names, cause });
}

/** The variables of the job. @throws CodedError `validation_failed`, naming the inputs of the workflow that are missing or wrong */
function inputsOf(action: Action, actionVariables: Submission['actionVariables']): NewJob['variables'] {
  try {
    return bindInputs(action.workflow.inputs, { ...action.variables, ...actionVariables });
  } catch (error) {
    if (!isCodedError(error, 'validation_failed')) throw error;
    const fields = error.fields.map(({ field, message }) => ({ field: `actionVariables.${field}`, message }));
    const detail = fields.map(({ field, message }) => `${field}: ${message}`).join('; ');
    throw new CodedError('validation_failed', { detail, fields, cause: error });
  }
}

function jobOfSubmission(submission: Submission, action: Action, ipid: Buffer | undefined): NewJob {
  const { userName, contractName, actionName, actionVariables, extIPID } = submission;
  if (action.trigger !== 'OnDemand') {
    const detail = `The action ${actionName} of contract ${contractName} is started by ${action.trigger}, not on demand`;
    throw naming('actionName', new CodedError('action_not_on_demand', { detail }));
  }
  return {
    ...jobOfAction(action),
    submittedBy: userName,
    variables: inputsOf(action, actionVariables),
    dfic: beginDataflow({ contract: contractName, action: actionName, actor: action.actorName }),
    chainDepth: 1,
    extIPID,
    ipid,
  };
}
