import type { Directory } from '@waybill/directory/directory';
import { whyLoginEnded } from '@waybill/directory/standing/login-proof';
import type { EndLoginSession } from './end-login-session.ts';
import { type LoginSession, proofOfSession } from './login-sessions.ts';

/** Ends a session at the request of its user. If the login was no longer valid, the audit log has the reason for that. */
export type LogOut = (session: LoginSession) => Promise<void>;

/** Ends sessions whose user is still in the directory. */
export function createLogOut(ports: {
  directory: Pick<Directory, 'findPartnerUser'>;
  endSession: EndLoginSession;
}): LogOut {
  const { directory, endSession } = ports;
  return async (session) => {
    const user = await directory.findPartnerUser(session.userName);
    await endSession(session, whyLoginEnded(user, proofOfSession(session)));
  };
}
