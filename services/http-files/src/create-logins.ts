import type { PartnerPasswords } from '@waybill/directory/accounts/partner-passwords';
import type { OwnedSecondFactors } from '@waybill/directory/accounts/partner-second-factors';
import type { Directory } from '@waybill/directory/directory';
import type { ServerPlace } from './domain/access/origin-of.ts';
import type { AccountEvents } from './domain/account/account-events.ts';
import { createChangePassword } from './domain/account/change-password.ts';
import { createOwnSecondFactor } from './domain/account/own-second-factor.ts';
import { createEndLoginSession } from './domain/logins/end-login-session.ts';
import { createLogIn, type LogInPorts } from './domain/logins/log-in.ts';
import { createLogOut } from './domain/logins/log-out.ts';
import type { LoginEvents } from './domain/logins/login-events.ts';
import { createSweepLoginSessions } from './domain/logins/sweep-login-sessions.ts';
import { createAccountAuthenticator } from './http/logins/account-authenticator.ts';
import { createCallerAuthenticator } from './http/logins/caller-authenticator.ts';
import { createSessionAuthenticator } from './http/logins/session-authenticator.ts';

/** What logins need, all of it together. */
export interface LoginPorts extends LogInPorts {
  readonly directory: Directory;
  readonly passwords: PartnerPasswords;
  readonly secondFactors: OwnedSecondFactors;
  readonly events: LoginEvents & AccountEvents;
  readonly server: ServerPlace;
  /** How long a session lives without a request. */
  readonly idleSeconds: number;
}

/** The operations on login sessions. */
export function createLogins(ports: LoginPorts) {
  const authenticateSession = createSessionAuthenticator(ports.sessions);
  const endSession = createEndLoginSession(ports);
  const authenticateAccount = createAccountAuthenticator({ ...ports, authenticateSession, endSession });
  return {
    authenticateSession,
    authenticateAccount,
    endSession,
    authenticateCaller: createCallerAuthenticator({ ...ports, authenticateAccount }),
    logIn: createLogIn(ports),
    changePassword: createChangePassword(ports),
    ownSecondFactor: createOwnSecondFactor(ports),
    logOut: createLogOut({ ...ports, endSession }),
    sweepSessions: createSweepLoginSessions({ ...ports, endSession }),
  };
}
