import type { openLoginSessionEndpoint } from '@waybill/contracts/endpoints/files/logins/open-login-session';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { LogIn } from '../../domain/logins/log-in.ts';
import { sessionCookie, userCookie } from './session-authenticator.ts';

/** D1. */
export function createOpenLoginSessionHandler(ports: {
  logIn: LogIn;
}): EndpointHandler<typeof openLoginSessionEndpoint> {
  return async ({ body: { username, password, code }, clientAddress }) => {
    const { token, session } = await ports.logIn({ userName: username, password, code, clientAddress });
    return {
      status: 200,
      cookies: [
        { name: userCookie, value: session.userName },
        { name: sessionCookie, value: token },
      ],
    };
  };
}
