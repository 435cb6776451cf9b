import type { closeLoginSessionEndpoint } from '@waybill/contracts/endpoints/files/logins/close-login-session';
import type { SessionHandler } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { LogOut } from '../../domain/logins/log-out.ts';
import { fileResult } from '../file-result.ts';
import { sessionCookie, userCookie, type HeldSession } from './session-authenticator.ts';

/** Logs out. */
export function createCloseLoginSessionHandler(ports: {
  logOut: LogOut;
}): SessionHandler<typeof closeLoginSessionEndpoint, HeldSession> {
  return async ({ principal: { session } }) => {
    await ports.logOut(session);
    const cookies = [userCookie, sessionCookie].map((name) => ({ name, value: '' }));
    return { status: 200, body: fileResult('Logged out'), cookies };
  };
}
