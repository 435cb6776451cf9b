import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { Transaction } from '@waybill/postgres/database';
import { storedSteps } from '@waybill/workflow/run/stored-steps';
import { reconcileEntities, type Reconciliation } from './reconcile-entities.ts';

/**
 * Applies workflow templates. A changed one gets a new revision; a removed one keeps its revisions for the jobs
 * created with them.
 */
export async function applyTemplates(
  trx: Transaction,
  { workflowTemplates }: PlatformConfiguration,
): Promise<Reconciliation> {
  const reconciliation = await reconcileEntities(
    trx,
    { entityType: 'Workflow Template', table: 'workflow_templates', retires: true },
    workflowTemplates.map((template) => {
      // Tests are no part of what runs: they make no revision.
      const { tests: _tests, ...definition } = template;
      return { name: template.name, definition };
    }),
  );
  for (const template of workflowTemplates) {
    const { name, description, inputs = {} } = template;
    const entity = reconciliation.entities.get(name);
    const content = { description, steps: JSON.stringify(storedSteps(template)), inputs: JSON.stringify(inputs) };
    if (entity?.rewritten) await addRevision(trx, entity.id, content);
  }
  return reconciliation;
}

async function addRevision(
  trx: Transaction,
  templateId: string,
  content: { description: string; steps: string; inputs: string },
): Promise<void> {
  const [template] = await trx<{ id: string; revision: number }>('directory.workflow_templates')
    .where({ id: templateId })
    .increment('revision', 1)
    .returning(['revision']);
  await trx('directory.workflow_revisions').insert({
    template_id: templateId,
    revision: template?.revision,
    ...content,
  });
}
