import type { listServerSessionsEndpoint } from '@waybill/contracts/endpoints/server-sessions/list-server-sessions';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { SessionRegistry } from '../domain/sessions/session-registry.ts';
import { presentLiveSession } from './present-live-session.ts';

/** The sessions of all peers that match the query. */
export function createListSessionsHandler(ports: {
  registry: Pick<SessionRegistry, 'listAll'>;
}): EndpointHandler<typeof listServerSessionsEndpoint> {
  return async ({ query: { clusterName, peerName, serverName, userName, maxItem } }) => {
    const matching = (await ports.registry.listAll()).filter(
      ({ server, session }) =>
        (clusterName ?? server.clusterName) === server.clusterName &&
        (peerName ?? server.peerName) === server.peerName &&
        (serverName ?? server.serverName) === server.serverName &&
        (userName ?? session.userName) === session.userName,
    );
    const sorted = matching.toSorted((one, other) => one.session.openedAt - other.session.openedAt);
    const sessions = sorted.slice(0, maxItem).map(presentLiveSession);
    return { status: 200, body: { totalCount: matching.length, sessions } };
  };
}
