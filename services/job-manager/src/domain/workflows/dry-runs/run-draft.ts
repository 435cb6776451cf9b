import type { WorkflowTemplate } from '@waybill/contracts/configuration/workflow-template';
import type { Directory } from '@waybill/directory/directory';
import type { DryRun } from '@waybill/workflow/run/dry-outcome';
import { type DryTrigger, filesOfTrigger } from '@waybill/workflow/run/imagine-trigger';
import type { DraftOrder, ImagineDraft } from './imagine-run.ts';
import { templatesOfRevision } from './templates-of-revision.ts';

/** What dry runs of drafts read. */
export interface DraftPorts {
  readonly directory: Pick<Directory, 'findWorkflow'>;
  readonly imagineDraft: ImagineDraft;
}

/**
 * Runs a template dryly that is not stored. Another thread reads it and names the stored workflows that it runs, which are then
 * given to it: the text is parsed nowhere else.
 * @throws CodedError as `imagineDraft`
 */
export async function runDraft(
  { directory, imagineDraft }: DraftPorts,
  document: string,
  about: {
    readonly trigger: DryTrigger | undefined;
    readonly order: Omit<DraftOrder, 'draft'>;
    readonly userName: string;
  },
): Promise<{ readonly workflow: { readonly name: string }; readonly run: DryRun }> {
  const { trigger, order, userName } = about;
  const noFile = trigger && filesOfTrigger(trigger) === 'never' ? 'the action is started without a file' : undefined;
  const imagine = (workflows: readonly WorkflowTemplate[], absent: readonly string[]) =>
    imagineDraft({ ...order, draft: { document, workflows, absent, noFile } }, userName);
  let end = await imagine([], []);
  if ('missing' in end) {
    const workflows = new Map<string, WorkflowTemplate>();
    for (const name of end.missing) {
      const revision = await directory.findWorkflow(name);
      // A revision holds all that its workflow runs.
      for (const template of revision ? templatesOfRevision(revision) : []) workflows.set(template.name, template);
    }
    const absent = end.missing.filter((name) => !workflows.has(name));
    end = await imagine([...workflows.values()], absent);
  }
  if ('missing' in end) throw new Error('a draft was given all workflows that it runs');
  return { workflow: { name: end.name }, run: end.run };
}
