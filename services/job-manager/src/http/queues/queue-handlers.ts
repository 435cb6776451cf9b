import type { findQueueEndpoint } from '@waybill/contracts/endpoints/queues/find-queue';
import type { listQueuesEndpoint } from '@waybill/contracts/endpoints/queues/list-queues';
import type { pauseQueueEndpoint } from '@waybill/contracts/endpoints/queues/pause-queue';
import type { resumeQueueEndpoint } from '@waybill/contracts/endpoints/queues/resume-queue';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { Queues } from '../../domain/queues/manage-queues.ts';
import { presentQueue } from './present-queue.ts';

/** What the handlers of queues need. */
export interface QueueHandlerParts {
  readonly queues: Queues;
}

/** All queues. */
export function createListQueuesHandler({ queues }: QueueHandlerParts): EndpointHandler<typeof listQueuesEndpoint> {
  return async () => ({ status: 200, body: { queues: (await queues.list()).map(presentQueue) } });
}

/** One queue. */
export function createFindQueueHandler({ queues }: QueueHandlerParts): EndpointHandler<typeof findQueueEndpoint> {
  return async ({ params }) => ({ status: 200, body: presentQueue(await queues.find(params.name)) });
}

/** Pauses a queue. */
export function createPauseQueueHandler({ queues }: QueueHandlerParts): EndpointHandler<typeof pauseQueueEndpoint> {
  return async ({ params, query, principal: { userName } }) => ({
    status: 200,
    body: presentQueue(await queues.pause(params.name, { userName, reason: query.reason })),
  });
}

/** Ends the pause of a queue. */
export function createResumeQueueHandler({ queues }: QueueHandlerParts): EndpointHandler<typeof resumeQueueEndpoint> {
  return async ({ params, query, principal: { userName } }) => ({
    status: 200,
    body: presentQueue(await queues.resume(params.name, { userName, reason: query.reason })),
  });
}
