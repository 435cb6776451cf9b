import type { Directory } from '@waybill/directory/directory';
import { createEndLoginSession } from './domain/end-login-session.ts';
import { createLogIn, type LogInPorts } from './domain/log-in.ts';
import { createLogOut } from './domain/log-out.ts';
import type { ServerPlace } from './domain/origin-of.ts';
import { createSweepLoginSessions } from './domain/sweep-login-sessions.ts';
import { createCallerAuthenticator } from './http/caller-authenticator.ts';
import { createSessionAuthenticator } from './http/session-authenticator.ts';

/** What logins work with, all of it together. */
export interface LoginPorts extends LogInPorts {
  readonly directory: Directory;
  readonly server: ServerPlace;
  /** How long a session lives without a request. */
  readonly idleSeconds: number;
}

/** Everything about login sessions, from their beginning to their end. */
export function createLogins(ports: LoginPorts) {
  const authenticateSession = createSessionAuthenticator(ports.sessions);
  const endSession = createEndLoginSession(ports);
  return {
    authenticateSession,
    authenticateCaller: createCallerAuthenticator({ ...ports, authenticateSession, endSession }),
    logIn: createLogIn(ports),
    logOut: createLogOut({ ...ports, endSession }),
    sweepSessions: createSweepLoginSessions({ ...ports, endSession }),
  };
}
