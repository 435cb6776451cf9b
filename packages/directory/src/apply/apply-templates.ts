import { builtInSource, type EntityOwner } from '@waybill/contracts/configuration/configuration-source';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { type WorkflowTemplate, workflowTemplateSchema } from '@waybill/contracts/configuration/workflow-template';
import { reachedFrom } from '@waybill/workflow/checks/called-workflows';
import { storedSteps } from '@waybill/workflow/run/stored-steps';
import { queryRows } from '../queries/query-rows.ts';
import type { Change } from './change.ts';
import {
  type Applying,
  type EntityKind,
  reconcileEntities,
  type Reconciliation,
  type WantedEntity,
} from './reconcile-entities.ts';

/** Tests are no part of what runs: they make no revision. */
const kind = {
  entityType: 'Workflow Template',
  table: 'workflow_templates',
  retires: true,
  inert: ['tests'],
} as const satisfies EntityKind;

type Workflows = ReadonlyMap<string, WorkflowTemplate>;

/** A template of another owner, as it is stored. */
interface OtherTemplate {
  readonly source: EntityOwner;
  readonly template: WorkflowTemplate;
}

/**
 * Applies workflow templates. A changed one gets a new revision; a removed one keeps its revisions for the jobs
 * created with them. A revision holds the workflows that its steps run: a template that runs a changed one has a new revision
 * too, also one of another owner.
 */
export async function applyTemplates(
  applying: Applying,
  { workflowTemplates }: PlatformConfiguration,
): Promise<Reconciliation> {
  const { only } = applying;
  if (only && only.target.entityType !== kind.entityType) return await reconcileEntities(applying, kind, []);
  const others = await readOthers(applying, new Set(workflowTemplates.map(({ name }) => name)));
  const workflows: Workflows = new Map(
    [...workflowTemplates, ...others.map(({ template }) => template)].map((template) => [template.name, template]),
  );
  const { entities, changes } = await applyOwned(applying, workflowTemplates, workflows);
  const following: Change[] = [];
  for (const { source, template } of others.filter(({ template }) => reachedFrom(template.name, workflows).size > 0)) {
    const target = { entityType: kind.entityType, name: template.name };
    const one = { ...applying, source, only: { target, mentioned: [template.name] } };
    following.push(...(await applyOwned(one, [template], workflows)).changes);
  }
  return { entities, changes: [...changes, ...following] };
}

async function applyOwned(
  applying: Applying,
  templates: readonly WorkflowTemplate[],
  workflows: Workflows,
): Promise<Reconciliation> {
  const wanted = templates.map((template) => wantedTemplate(template, workflows));
  const reconciliation = await reconcileEntities(applying, kind, wanted);
  for (const template of templates) {
    const { name, description, inputs = {}, outputs = {} } = template;
    const entity = reconciliation.entities.get(name);
    const content = {
      description,
      steps: JSON.stringify(storedSteps(template, workflows)),
      inputs: JSON.stringify(inputs),
      outputs: JSON.stringify(outputs),
    };
    if (entity?.rewritten) await addRevision(applying, entity.id, content);
  }
  return reconciliation;
}

function wantedTemplate(template: WorkflowTemplate, workflows: Workflows): WantedEntity {
  const runs = [...reachedFrom(template.name, workflows)]
    .toSorted()
    .map((name): [string, object] => [name, runPart(workflows.get(name))]);
  const definition = { ...template, ...(runs.length > 0 && { runs: Object.fromEntries(runs) }) };
  return { name: template.name, definition };
}

/** The templates that stay as other owners have them. */
async function readOthers(
  { trx, source, only }: Applying,
  written: ReadonlySet<string>,
): Promise<readonly OtherTemplate[]> {
  const rows = await queryRows<{ name: string; source: EntityOwner; definition: object }>(
    trx,
    `SELECT name, source, definition - 'runs' AS definition FROM directory.workflow_templates
      WHERE retired_at IS NULL AND source IS DISTINCT FROM '${builtInSource}' ORDER BY id`,
  );
  const stays = rows.filter(({ name, source: owner }) => (only ? name !== only.target.name : owner !== source));
  return stays
    .filter(({ name }) => !written.has(name))
    .map(({ source: owner, definition }) => ({ source: owner, template: workflowTemplateSchema.parse(definition) }));
}

/** What runs: a template without its tests. */
function runPart(template: WorkflowTemplate | undefined): object {
  const { tests: _tests, ...definition } = template ?? {};
  return definition;
}

async function addRevision(
  { trx, by }: Applying,
  templateId: string,
  content: { description: string; steps: string; inputs: string; outputs: string },
): Promise<void> {
  const [template] = await trx<{ id: string; revision: number }>('directory.workflow_templates')
    .where({ id: templateId })
    .increment('revision', 1)
    .returning(['revision']);
  await trx('directory.workflow_revisions').insert({
    template_id: templateId,
    revision: template?.revision,
    applied_by: by ?? null,
    ...content,
  });
}
