import type { terminateServerSessionEndpoint } from '@waybill/contracts/endpoints/server-sessions/terminate-server-session';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { Clusters } from '../domain/sessions/require-server.ts';
import type { SessionRegistry } from '../domain/sessions/session-registry.ts';
import type { SessionTerminator } from '../domain/sessions/session-terminator.ts';
import { terminateSession } from '../domain/sessions/terminate-session.ts';
import { presentSession } from './present-session.ts';

/** A2. */
export function createTerminateSessionHandler(ports: {
  clusters: Clusters;
  registry: SessionRegistry;
  terminator: SessionTerminator;
}): EndpointHandler<typeof terminateServerSessionEndpoint> {
  return async ({ body, principal }) => {
    const session = await terminateSession(ports, { ...body, requestedBy: principal.userName });
    return { status: 200, body: presentSession(session) };
  };
}
