import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { Transaction } from '@waybill/postgres/database';
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
    workflowTemplates.map((template) => ({ name: template.name, definition: template })),
  );
  for (const { name, description, steps } of workflowTemplates) {
    const template = reconciliation.entities.get(name);
    if (template?.rewritten) await addRevision(trx, template.id, { description, steps: JSON.stringify(steps) });
  }
  return reconciliation;
}

async function addRevision(
  trx: Transaction,
  templateId: string,
  content: { description: string; steps: string },
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
