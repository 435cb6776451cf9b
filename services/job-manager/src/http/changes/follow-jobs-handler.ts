import type { followJobsEndpoint } from '@waybill/contracts/endpoints/jobs/follow-jobs';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import { eventStreamResponse, lastEventIdOf, onceFired } from '@waybill/http-kit/routing/event-stream';
import type { JobFollowers } from './job-followers.ts';

/** The changes of jobs, until the caller's token expires or the caller may not follow them any longer. */
export function createFollowJobsHandler(parts: {
  followers: JobFollowers;
}): EndpointHandler<typeof followJobsEndpoint> {
  return async ({ principal, query: filter, headers, signal }) => {
    const body = await parts.followers.follow({
      userName: principal.userName,
      filter,
      after: lastEventIdOf(headers),
      endsAt: principal.expiresAt ?? Date.now(),
    });
    onceFired(signal, () => body.finish());
    return eventStreamResponse(body);
  };
}
