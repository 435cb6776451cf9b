import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Directory } from '@waybill/directory/directory';
import { whyLoginEnded } from '@waybill/directory/standing/login-proof';
import type { Authenticator } from '@waybill/http-kit/routing/route';
import type { AccountHolder } from '../../domain/access/caller.ts';
import type { EndLoginSession } from '../../domain/logins/end-login-session.ts';
import { proofOfSession } from '../../domain/logins/login-sessions.ts';
import type { HeldSession } from './session-authenticator.ts';

/**
 * Ends a session that is over, and authenticates like `authenticateSession`, together with the user as stored now: before
 * anything else of a request is read.
 * @throws CodedError `not_authenticated` (the user is gone, disabled or frozen, may not log in from here, or has
 * another password now)
 */
export function createAccountAuthenticator(ports: {
  authenticateSession: Authenticator<HeldSession>;
  endSession: EndLoginSession;
  directory: Pick<Directory, 'findPartnerUser'>;
}): Authenticator<AccountHolder> {
  const { authenticateSession, endSession, directory } = ports;
  return async (context) => {
    const { userName, sessionId, session } = await authenticateSession(context);
    const user = await directory.findPartnerUser(userName);
    const login = proofOfSession(session, context.clientAddress);
    const reason = whyLoginEnded(user, login);
    if (reason !== undefined) await endSession(session, reason);
    if (user === undefined || reason !== undefined) throw new CodedError('not_authenticated');
    return { userName, sessionId, sessionHandle: session.handle, user, login };
  };
}
