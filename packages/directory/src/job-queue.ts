import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { jobQueueSchema } from '@waybill/contracts/configuration/workflow-configuration';

/** Where jobs wait. */
export interface JobQueue {
  readonly id: string;
  readonly name: string;
  readonly status: 'Enabled' | 'Disabled';
  /** 1 to 10; 10 goes first. */
  readonly priority: number;
  /** Jobs that run at once. */
  readonly parallelism: number;
}

/** The queue of contracts that name none. It is always there, whether the configuration describes it or not. */
const defaultQueueName = 'Default Queue';

/** The queues of the configuration, the default one among them. */
export function queuesOf({ queues }: PlatformConfiguration): PlatformConfiguration['queues'] {
  return queues.some(({ name }) => name === defaultQueueName)
    ? queues
    : [...queues, jobQueueSchema.parse({ name: defaultQueueName })];
}
