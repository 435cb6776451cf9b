import type {
  endHttpSessionEndpoint,
  HttpSessionView,
  listHttpSessionsEndpoint,
} from '@waybill/contracts/endpoints/server-sessions/http-session-endpoints';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import {
  type HttpSession,
  type HttpSessionEvents,
  type HttpSessions,
  narrowed,
} from '../domain/sessions/http-sessions.ts';

/** Lists the sessions over HTTP that match the query. */
export function createListHttpSessionsHandler(ports: {
  httpSessions: Pick<HttpSessions, 'list'>;
}): EndpointHandler<typeof listHttpSessionsEndpoint> {
  return async ({ query: { maxItem: limit, actor, ...filters }, actors }) => {
    const { sessions, total } = await ports.httpSessions.list({ ...filters, limit, actors: narrowed(actors, actor) });
    return { status: 200, body: { totalCount: total, sessions: sessions.map(present) } };
  };
}

/** Ends a session over HTTP. */
export function createEndHttpSessionHandler(ports: {
  httpSessions: Pick<HttpSessions, 'end'>;
  events: HttpSessionEvents;
}): EndpointHandler<typeof endHttpSessionEndpoint> {
  return async ({ params: { sessionId }, principal: { userName: requestedBy }, actors }) => {
    const session = await ports.httpSessions.end(sessionId, { requestedBy, actors });
    if (session === undefined) {
      throw new CodedError('session_unknown', { detail: `There is no open session '${sessionId}' over HTTP` });
    }
    ports.events.httpSessionEnded(session, requestedBy);
    return { status: 200, body: present(session) };
  };
}

function present({ sessionId, userName, peerName, serverName, client, openedAt }: HttpSession): HttpSessionView {
  const seen = { address: client?.address ?? null, client: client?.client ?? null };
  return { sessionId, userName, peerName, serverName, ...seen, openedAt: openedAt.toISOString() };
}
