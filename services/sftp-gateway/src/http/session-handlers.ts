import type { ActorScope } from '@waybill/access/principal';
import type { followServerSessionsEndpoint } from '@waybill/contracts/endpoints/server-sessions/follow-server-sessions';
import type { listServerSessionsEndpoint } from '@waybill/contracts/endpoints/server-sessions/list-server-sessions';
import type { queryServerSessionsEndpoint } from '@waybill/contracts/endpoints/server-sessions/query-server-sessions';
import type { terminateServerSessionEndpoint } from '@waybill/contracts/endpoints/server-sessions/terminate-server-session';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import { eventStreamResponse, onceFired } from '@waybill/http-kit/routing/event-stream';
import { narrowed } from '../domain/sessions/http-sessions.ts';
import { querySessions } from '../domain/sessions/query-sessions.ts';
import type { Clusters } from '../domain/sessions/require-server.ts';
import type { SessionRegistry } from '../domain/sessions/session-registry.ts';
import type { SessionTerminator } from '../domain/sessions/session-terminator.ts';
import { terminateSession } from '../domain/sessions/terminate-session.ts';
import { presentSession, presentLiveSession } from './present-session.ts';
import type { SessionFollowers } from './session-followers.ts';

/** Which users somebody who is limited to some actors reaches. */
export type ReachedUsers = (actors: ActorScope) => Promise<(userName: string) => boolean>;

/** A1. */
export function createQuerySessionsHandler(ports: {
  clusters: Clusters;
  registry: SessionRegistry;
  reachedUsers: ReachedUsers;
}): EndpointHandler<typeof queryServerSessionsEndpoint> {
  return async ({ body, actors }) => {
    const sessions = await querySessions(ports, { ...body, reaches: await ports.reachedUsers(actors) });
    return { status: 200, body: sessions.map(presentSession) };
  };
}

/** A2. */
export function createTerminateSessionHandler(ports: {
  clusters: Clusters;
  registry: SessionRegistry;
  terminator: SessionTerminator;
  reachedUsers: ReachedUsers;
}): EndpointHandler<typeof terminateServerSessionEndpoint> {
  return async ({ body, principal, actors }) => {
    const reaches = await ports.reachedUsers(actors);
    const session = await terminateSession(ports, { ...body, requestedBy: principal.userName, reaches });
    return { status: 200, body: presentSession(session) };
  };
}

/** The sessions of all peers that match the query. */
export function createListSessionsHandler(ports: {
  registry: Pick<SessionRegistry, 'listAll'>;
  reachedUsers: ReachedUsers;
}): EndpointHandler<typeof listServerSessionsEndpoint> {
  return async ({ query: { clusterName, peerName, serverName, userName, actor, maxItem }, actors }) => {
    const reaches = await ports.reachedUsers(narrowed(actors, actor));
    const matching = (await ports.registry.listAll()).filter(
      ({ server, session }) =>
        (clusterName ?? server.clusterName) === server.clusterName &&
        (peerName ?? server.peerName) === server.peerName &&
        (serverName ?? server.serverName) === server.serverName &&
        (userName ?? session.userName) === session.userName &&
        reaches(session.userName),
    );
    const sorted = matching.toSorted((one, other) => one.session.openedAt - other.session.openedAt);
    const sessions = sorted.slice(0, maxItem).map(presentLiveSession);
    return { status: 200, body: { totalCount: matching.length, sessions } };
  };
}

/** The changes of sessions, until the caller's token expires or the caller may not follow them any longer. */
export function createFollowSessionsHandler(ports: {
  followers: SessionFollowers;
}): EndpointHandler<typeof followServerSessionsEndpoint> {
  return async ({ principal: { userName, expiresAt }, signal }) => {
    const body = ports.followers.follow({ userName, endsAt: expiresAt ?? Date.now() });
    onceFired(signal, () => body.finish());
    return eventStreamResponse(body);
  };
}
