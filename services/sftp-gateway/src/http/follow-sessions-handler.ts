import type { followServerSessionsEndpoint } from '@waybill/contracts/endpoints/server-sessions/follow-server-sessions';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { SessionFollowers } from './session-followers.ts';

/** The changes of sessions, until the caller's token expires. */
export function createFollowSessionsHandler(ports: {
  followers: SessionFollowers;
}): EndpointHandler<typeof followServerSessionsEndpoint> {
  return async ({ principal }) => {
    const body = ports.followers.follow(principal.expiresAt ?? Date.now());
    // Keeps proxies from buffering events.
    return { status: 200, body, headers: { 'X-Accel-Buffering': 'no' } };
  };
}
