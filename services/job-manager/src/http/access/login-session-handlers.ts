import type {
  listLoginSessionsEndpoint,
  revokeLoginSessionEndpoint,
} from '@waybill/contracts/endpoints/access/login-session-endpoints';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { LoginSessions } from '../../domain/access/login-sessions.ts';

/** Lists sessions of the management interfaces. */
export function createListLoginSessionsHandler(parts: {
  loginSessions: LoginSessions;
}): EndpointHandler<typeof listLoginSessionsEndpoint> {
  return async ({ principal }) => ({ status: 200, body: { items: [...(await parts.loginSessions.list(principal))] } });
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
