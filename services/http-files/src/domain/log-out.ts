import type { Directory } from '@waybill/directory/directory';
import type { createEndLoginSession } from './end-login-session.ts';
import type { LoginSession } from './login-sessions.ts';
import { reasonToEnd } from './reason-to-end.ts';

/** Ends a session whose user asks for it. One that was over by then was not ended by that, and the record says so. */
export function createLogOut(ports: {
  directory: Pick<Directory, 'findPartnerUser'>;
  endSession: ReturnType<typeof createEndLoginSession>;
}) {
  const { directory, endSession } = ports;
  return async (session: LoginSession): Promise<void> => {
    await endSession(session, reasonToEnd(session, await directory.findPartnerUser(session.userName)));
  };
}
