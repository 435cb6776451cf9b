import type { followJobsEndpoint } from '@waybill/contracts/endpoints/jobs/follow-jobs';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { JobFollowers } from './job-followers.ts';

/** The changes of jobs, until the caller's token expires. */
export function createFollowJobsHandler(parts: {
  followers: JobFollowers;
}): EndpointHandler<typeof followJobsEndpoint> {
  return async ({ principal, query: filter, headers, signal }) => {
    const known = headers['last-event-id'];
    const body = await parts.followers.follow({
      userName: principal.userName,
      filter,
      after: typeof known === 'string' ? Number(known) : undefined,
      endsAt: principal.expiresAt ?? Date.now(),
    });
    if (signal.aborted) body.destroy();
    // Keeps proxies from buffering events.
    return { status: 200, body, headers: { 'X-Accel-Buffering': 'no', 'Cache-Control': 'no-store' } };
  };
}
