import type { ExpectationOutcome } from '@waybill/contracts/configuration/expectation';
import type { TimeTrigger } from '@waybill/contracts/configuration/time-trigger';
import type { StoredStep, WorkflowInput, WorkflowOutput } from '@waybill/contracts/configuration/workflow-template';
import { parseNamePattern, type NamePattern } from '@waybill/contracts/values/name-pattern';
import { matchesPathPattern, parsePathPattern } from '@waybill/contracts/values/path-pattern';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Queryable } from '@waybill/postgres/database';
import type { Action, TimeAction, TriggerType, WorkflowRevision } from '../access/action.ts';
import type { RaisedOutcome } from '../access/contract-expectation.ts';
import { queryRows } from './query-rows.ts';

/** An action that files start, with the pattern that a file's name must match. */
export interface PatternedAction {
  readonly action: Action;
  readonly filePattern: NamePattern;
}

interface ActionRow extends Omit<Action, 'workflow' | 'vfsId' | 'schedule' | 'expectation'> {
  vfsId: string | null;
  schedule: TimeTrigger | null;
  expectation: string | null;
  expectationOutcomes: ExpectationOutcome[] | null;
  filePattern: string | null;
  folderPattern: VirtualPath | null;
  templateId: string;
  templateName: string;
  revision: number;
  description: string;
  steps: StoredStep[];
  inputs: Record<string, WorkflowInput>;
  outputs: Record<string, WorkflowOutput>;
}

const select = `
  SELECT k.id AS "contractId", k.name AS "contractName", k.type AS "contractType", o.name AS "actorName", o.id AS "actorId",
         floor(date_part('epoch', o.created_at) * 1000) AS "actorSinceMs",
         a.name AS "actionName", a.trigger_type AS trigger, a.vfs_id AS "vfsId", a.file_pattern AS "filePattern",
         a.trigger_path AS "folderPattern",
         a.schedule, a.expectation, a.expectation_outcomes AS "expectationOutcomes", a.variables, q.name AS queue, t.id AS "templateId", t.name AS "templateName",
         r.revision, r.description, r.steps, r.inputs, r.outputs
    FROM directory.contract_actions a
    JOIN directory.contracts k ON k.id = a.contract_id AND k.enabled
    JOIN directory.actors o ON o.id = k.actor_id
    JOIN directory.job_queues q ON q.id = k.queue_id
    JOIN directory.workflow_templates t ON t.id = a.template_id
    JOIN directory.workflow_revisions r ON r.template_id = t.id AND r.revision = t.revision`;

/** All actions of an enabled contract, with its name. */
export async function findContractActions(on: Queryable, contractName: string): Promise<Action[]> {
  const rows = await queryRows<ActionRow>(on, `${select} WHERE k.name = :contractName`, { contractName });
  return rows.map(actionOf);
}

/** The actions with a trigger whose `virtualPath` matches a folder of a VFS, by contract and action name. */
export async function findFolderActions(
  on: Queryable,
  folder: { vfsId: string; path: VirtualPath; trigger: TriggerType },
): Promise<PatternedAction[]> {
  const rows = await queryRows<ActionRow>(
    on,
    `${select} WHERE a.vfs_id = :vfsId AND a.trigger_type = :trigger
       AND (a.trigger_path = :path OR strpos(a.trigger_path, '*') > 0) ORDER BY k.name, a.name`,
    { ...folder },
  );
  return rows.flatMap((row) => {
    const { folderPattern, filePattern } = row;
    if (folderPattern === null || filePattern === null) return [];
    if (!matchesPathPattern(folder.path, parsePathPattern(folderPattern))) return [];
    return [{ filePattern: parseNamePattern(filePattern), action: actionOf(row) }];
  });
}

/** The actions of an enabled contract that an outcome of its expectation starts, by name. */
export async function findExpectationActions(on: Queryable, raised: RaisedOutcome): Promise<Action[]> {
  const rows = await queryRows<ActionRow>(
    on,
    `${select} WHERE k.name = :contract AND a.expectation = :expectation AND a.expectation_outcomes @> to_jsonb(CAST(:outcome AS text))
     ORDER BY a.name`,
    { ...raised },
  );
  return rows.map(actionOf);
}

/** The actions that are started at certain times, by contract and action name. */
export async function findTimeActions(on: Queryable): Promise<TimeAction[]> {
  return queryRows<TimeAction>(
    on,
    `SELECT k.name AS "contractName", a.name AS "actionName", a.schedule
       FROM directory.contract_actions a JOIN directory.contracts k ON k.id = a.contract_id AND k.enabled
      WHERE a.schedule IS NOT NULL ORDER BY k.name, a.name`,
    {},
  );
}

/** One revision of a workflow template, not necessarily the newest. */
export async function findRevision(
  on: Queryable,
  templateId: number,
  revision: number,
): Promise<WorkflowRevision | undefined> {
  const rows = await queryRows<Omit<WorkflowRevision, 'templateId'>>(
    on,
    `SELECT t.name, r.revision, r.description, r.steps, r.inputs, r.outputs
       FROM directory.workflow_revisions r JOIN directory.workflow_templates t ON t.id = r.template_id
      WHERE r.template_id = :templateId AND r.revision = :revision`,
    { templateId, revision },
  );
  const [row] = rows;
  return row && { templateId, ...row };
}

/** The newest revision of a workflow template. */
export async function findNewestRevision(on: Queryable, templateId: number): Promise<WorkflowRevision | undefined> {
  const rows = await queryRows<Omit<WorkflowRevision, 'templateId'>>(
    on,
    `SELECT t.name, r.revision, r.description, r.steps, r.inputs, r.outputs
       FROM directory.workflow_revisions r JOIN directory.workflow_templates t ON t.id = r.template_id
      WHERE r.template_id = :templateId ORDER BY r.revision DESC LIMIT 1`,
    { templateId },
  );
  const [row] = rows;
  return row && { templateId, ...row };
}

/** The newest revision of the workflow template with this name; not of a removed one. */
export async function findWorkflow(on: Queryable, name: string): Promise<WorkflowRevision | undefined> {
  const rows = await queryRows<Omit<WorkflowRevision, 'templateId'> & { templateId: string }>(
    on,
    `SELECT t.id AS "templateId", t.name, r.revision, r.description, r.steps, r.inputs, r.outputs
       FROM directory.workflow_templates t
       JOIN directory.workflow_revisions r ON r.template_id = t.id AND r.revision = t.revision
      WHERE t.name = :name AND t.retired_at IS NULL`,
    { name },
  );
  const [row] = rows;
  return row && { ...row, templateId: Number(row.templateId) };
}

function actionOf(row: ActionRow): Action {
  const { filePattern: _name, folderPattern: _folder, vfsId, schedule, ...rowOfAction } = row;
  const { expectation, expectationOutcomes, ...described } = rowOfAction;
  const { templateId, templateName, revision, description, steps, inputs, outputs, ...rest } = described;
  const workflow = {
    templateId: Number(templateId),
    name: templateName,
    revision,
    description,
    steps,
    inputs,
    outputs,
  };
  return {
    ...rest,
    schedule: schedule ?? undefined,
    expectation: expectation === null ? undefined : { name: expectation, on: expectationOutcomes ?? [] },
    workflow,
    vfsId: vfsId ?? undefined,
  };
}
