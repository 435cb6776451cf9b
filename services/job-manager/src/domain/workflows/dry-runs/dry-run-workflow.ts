import type { ActorScope } from '@waybill/access/principal';
import type { DryRunQuestion } from '@waybill/contracts/endpoints/administration/dry-run-workflow';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { rootPath, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Action, WorkflowRevision } from '@waybill/directory/access/action';
import type { Directory } from '@waybill/directory/directory';
import type { Entry, FileEntry } from '@waybill/filebox/model/entry';
import type { DryRun } from '@waybill/workflow/run/dry-outcome';
import { type DryTrigger, faultOfFile, imaginedOutcome } from '@waybill/workflow/run/imagine-trigger';
import { describeFile, type JobFile } from '@waybill/workflow/run/job-file';
import { reaches } from '../../jobs/job-reach.ts';
import type { ImagineDraft, ImagineRun } from './imagine-run.ts';
import { runDraft } from './run-draft.ts';

/** Whose objects the caller reaches. */
export interface DryRunReach {
  /** Whose contracts. */
  readonly actors: ActorScope;
  /** Whose stored files; none if it is empty. */
  readonly filesOf: ActorScope;
  /** Who asks. */
  readonly userName: string;
}

/** What a workflow would do. */
export interface DryRunAnswer {
  /** Without a revision, it is not stored. */
  readonly workflow: { readonly name: string; readonly revision?: number };
  readonly action: Action | undefined;
  /** The file that starts the job. */
  readonly file: DryRunFile | undefined;
  readonly run: DryRun;
}

/** The file of a dry run. */
export interface DryRunFile {
  /** Where it was found; `undefined` if it is imagined. */
  readonly virtualFileSystem: string | undefined;
  readonly described: JobFile;
  /** Whether it would start the action; `undefined` if that is not known. */
  readonly startsAction: boolean | undefined;
}

/** Shows what a workflow would do, and changes nothing. */
export type DryRunWorkflow = (question: DryRunQuestion, reach: DryRunReach) => Promise<DryRunAnswer>;

/** What dry runs read. */
export interface DryRunPorts {
  readonly directory: Pick<
    Directory,
    'findAction' | 'findWorkflow' | 'findVfsByName' | 'findVfsActor' | 'findTriggeredActions'
  >;
  readonly findFile: (vfsId: string, path: VirtualPath) => Promise<Entry | undefined>;
  readonly imagineRun: ImagineRun;
  readonly imagineDraft: ImagineDraft;
}

/**
 * Runs workflows dryly with the action's variables, in another thread, secrets masked. It throws CodedError `contract_unknown`, `action_unknown`,
 * `entity_unknown` (the workflow or the VFS), `file_not_found`, `not_a_file`, `not_permitted`, and `validation_failed`: inputs, the
 * file or given steps do not fit, or the run takes more than `dryLimitsOfRequest`; `configuration_invalid`: the template that is not
 * stored is wrong.
 */
export function createDryRunWorkflow(ports: DryRunPorts): DryRunWorkflow {
  return async (question, reach) => {
    if (question.template !== undefined && reach.actors) {
      throw new CodedError('not_permitted', {
        detail: 'Your role is limited to actors: workflow templates belong to none',
      });
    }
    const action = question.contract === undefined ? undefined : await findAction(ports, question, reach);
    const trigger = action && triggerOf(action);
    const fault = trigger && faultOfFile(trigger, question.path !== undefined);
    if (fault !== undefined) throw wrong('path', fault);
    const stored = await findStored(ports, question, reach);
    const now = question.now ?? new Date().toISOString();
    const hasFile = question.path !== undefined;
    const outcome = trigger ? imaginedOutcome(trigger, { hasFile, now }) : {};
    const variables = { ...action?.variables, ...outcome, ...question.variables };
    const file = stored && describeFile(stored.path, stored.fileset, String(stored.size));
    const given = {
      ...(question.path !== undefined && { file: question.path }),
      size: question.size ?? defaultSize,
      variables,
      now,
      steps: question.steps,
    };
    const order = { given, action: identityOf(action), file, origin: stored?.dfic };
    const { template } = question;
    const outcomeOf = async (): Promise<Pick<DryRunAnswer, 'workflow' | 'run'>> => {
      if (template !== undefined) return await runDraft(ports, template, { trigger, order, userName: reach.userName });
      const workflow = action?.workflow ?? (await findWorkflow(ports, question, reach));
      const { steps, inputs, outputs } = workflow;
      const run = await ports.imagineRun({ ...order, workflow: { steps, inputs, outputs } }, reach.userName);
      return { workflow, run };
    };
    return { ...(await outcomeOf()), action, file: await shownFile(ports, { question, stored, action }) };
  };
}

/** Bytes of an imagined file. */
const defaultSize = 1_024;

async function findAction(
  { directory }: DryRunPorts,
  question: DryRunQuestion,
  { actors }: DryRunReach,
): Promise<Action> {
  const { contract = '', action = '' } = question;
  try {
    return await directory.findAction(contract, action, actors);
  } catch (error) {
    if (!isCodedError(error, 'contract_unknown', 'action_unknown')) throw error;
    const { code, message } = error;
    const field = code === 'contract_unknown' ? 'contract' : 'action';
    throw new CodedError(code, { detail: `${field}: ${message}`, fields: [{ field, message }], cause: error });
  }
}

async function findWorkflow(
  { directory }: DryRunPorts,
  { workflow = '' }: DryRunQuestion,
  { actors }: DryRunReach,
): Promise<WorkflowRevision> {
  if (actors) {
    const detail = 'Your role is limited to actors: name a contract and an action instead of a workflow';
    throw new CodedError('not_permitted', { detail });
  }
  const found = await directory.findWorkflow(workflow);
  if (!found) throw new CodedError('entity_unknown', { detail: `There is no workflow template named ${workflow}` });
  return found;
}

/** The stored file that is named; `undefined` if none is. */
async function findStored(
  { directory, findFile }: DryRunPorts,
  { virtualFileSystem: vfs, path }: DryRunQuestion,
  { filesOf }: DryRunReach,
): Promise<FileEntry | undefined> {
  if (vfs === undefined || path === undefined) return undefined;
  if (filesOf?.length === 0) {
    throw new CodedError('not_permitted', { detail: 'A stored file requires the permission jobs:read, too' });
  }
  const [found, actor = ''] = await Promise.all([directory.findVfsByName(vfs), directory.findVfsActor(vfs)]);
  if (!found || !reaches(filesOf, actor)) {
    throw new CodedError('entity_unknown', { detail: `There is no virtual file system named ${vfs}` });
  }
  const names = { path };
  // Looking a root up may create it.
  const entry = path === rootPath ? 'root' : await findFile(found.id, path);
  if (entry === undefined) throw new CodedError('file_not_found', { detail: `There is no file ${vfs}:${path}`, names });
  if (entry !== 'root' && entry.kind === 'file') return entry;
  throw new CodedError('not_a_file', { detail: `${vfs}:${path} is a folder`, names });
}

function triggerOf({ trigger, expectation }: Action): DryTrigger {
  return expectation ? { type: trigger, expectation: expectation.name, on: expectation.on } : { type: trigger };
}

function identityOf(action: Action | undefined) {
  return (
    action && { contract: action.contractName, action: action.actionName, actor: action.actorName, queue: action.queue }
  );
}

async function shownFile(
  { directory }: DryRunPorts,
  of: { question: DryRunQuestion; stored: FileEntry | undefined; action: Action | undefined },
): Promise<DryRunFile | undefined> {
  const { question, stored, action } = of;
  const { path, size = defaultSize, virtualFileSystem } = question;
  if (path === undefined) return undefined;
  if (!stored) return { virtualFileSystem, described: describeFile(path, '', String(size)), startsAction: undefined };
  const { vfsId, fileset } = stored;
  const described = describeFile(path, fileset, String(stored.size));
  if (!action || action.trigger === 'Expectation') return { virtualFileSystem, described, startsAction: undefined };
  const started = await directory.findTriggeredActions({ vfsId, path, trigger: action.trigger });
  const isSame = ({ contractName, actionName }: Action): boolean =>
    contractName === action.contractName && actionName === action.actionName;
  return { virtualFileSystem, described, startsAction: started.some(isSame) };
}

function wrong(field: string, message: string): CodedError {
  return new CodedError('validation_failed', { detail: `${field}: ${message}`, fields: [{ field, message }] });
}
