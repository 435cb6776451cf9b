import type { JobQueueSlot } from '@waybill/contracts/configuration/job-queue-slot';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { jobQueueSchema } from '@waybill/contracts/configuration/workflow-configuration';

/** A queue in which jobs wait. */
export interface JobQueue {
  readonly id: string;
  readonly name: string;
  readonly status: 'Enabled' | 'Scheduled' | 'Disabled';
  /** When it starts jobs, if it is Scheduled. */
  readonly slots: readonly JobQueueSlot[];
  /** 1 to 10; 10 goes first. */
  readonly priority: number;
  /** The number of jobs that run concurrently. */
  readonly parallelism: number;
}

/** The queue of contracts without a queue. It always exists, even if no configuration describes it. */
export const defaultQueue = jobQueueSchema.parse({ name: 'Default Queue' });

/** The queues of the configuration, including the default one. */
export function queuesOf({ queues }: PlatformConfiguration): PlatformConfiguration['queues'] {
  return queues.some(({ name }) => name === defaultQueue.name) ? queues : [...queues, defaultQueue];
}
