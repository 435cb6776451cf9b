import type { queryServerSessionsEndpoint } from '@waybill/contracts/endpoints/server-sessions/query-server-sessions';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import { querySessions } from '../domain/sessions/query-sessions.ts';
import type { Clusters } from '../domain/sessions/require-server.ts';
import type { SessionRegistry } from '../domain/sessions/session-registry.ts';
import { presentSession } from './present-session.ts';

/** A1. */
export function createQuerySessionsHandler(ports: {
  clusters: Clusters;
  registry: SessionRegistry;
}): EndpointHandler<typeof queryServerSessionsEndpoint> {
  return async ({ body }) => {
    const sessions = await querySessions(ports, body);
    return { status: 200, body: sessions.map(presentSession) };
  };
}
