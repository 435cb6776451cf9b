import { userNameSchema } from '@waybill/contracts/values/user-name';
import type { NewJob } from '../src/domain/jobs/new-job.ts';
import type { QueueSettings } from '../src/domain/queues/queue-settings.ts';

/** An open queue with room for every job of a test. */
export function openQueue(name: string, settings: Partial<QueueSettings> = {}): QueueSettings {
  return { name, enabled: true, priority: 5, parallelism: 10_000, ...settings };
}

/** A job without steps, for tests that claim it themselves. */
export function jobIn(queue: string, variables: NewJob['variables'] = {}): NewJob {
  return {
    submittedBy: userNameSchema.parse('admin'),
    queue,
    actor: 'acme',
    contract: 'invoices',
    contractType: 'Mediation',
    contractAction: 'write-report',
    contractActionTrigger: 'OnDemand',
    workflow: { templateId: 1, templateName: 'w', templateRevision: 1, templateDescription: '', steps: [] },
    variables,
    dfic: { dfiid: 'd', lcid: 'l', userAttrs: {} },
    chainDepth: 1,
  };
}
