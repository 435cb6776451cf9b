import {
  listLoginSessionsEndpoint,
  type revokeLoginSessionEndpoint,
} from '@waybill/contracts/endpoints/access/login-session-endpoints';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import { decodeCursor, pageOf, rowCursorSchema } from '@waybill/http-kit/routing/list-cursor';
import { nextLink } from '@waybill/http-kit/routing/next-link';
import type { LoginSessions } from '../../domain/access/login-sessions.ts';

/** Lists sessions of the management interfaces. */
export function createListLoginSessionsHandler(parts: {
  loginSessions: LoginSessions;
}): EndpointHandler<typeof listLoginSessionsEndpoint> {
  return async ({ query, principal }) => {
    const { maxItems, cursor: before, user } = query;
    const wanted = { user, before: decodeCursor(rowCursorSchema, before)?.[0], limit: maxItems + 1 };
    const { items, cursor } = pageOf(await parts.loginSessions.list(principal, wanted), maxItems, ({ id }) => [
      String(id),
    ]);
    return { status: 200, body: { items: [...items], ...nextLink(listLoginSessionsEndpoint.path, query, cursor) } };
  };
}

/** Ends a session of the management interfaces. */
export function createRevokeLoginSessionHandler(parts: {
  loginSessions: LoginSessions;
}): EndpointHandler<typeof revokeLoginSessionEndpoint> {
  return async ({ principal, params }) => {
    await parts.loginSessions.revoke(principal, params.id);
    return { status: 204 };
  };
}
