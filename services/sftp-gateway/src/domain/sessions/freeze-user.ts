import type { UserName } from '@waybill/contracts/values/user-name';
import type { FreezeQuery, FrozenUser, ListedFreeze, NewFreeze } from '@waybill/directory/logins/frozen-users';
import { currentClient } from '@waybill/service-kit/telemetry/correlation';
import type { HttpSessions } from './http-sessions.ts';
import type { SessionRegistry } from './session-registry.ts';
import type { SessionTerminator } from './session-terminator.ts';

/** The frozen users. Each change is audited with its actor. */
export interface UserFreezes {
  find(userName: UserName): Promise<FrozenUser | undefined>;
  /** The last that was frozen first. */
  list(query: FreezeQuery): Promise<{ readonly total: number; readonly freezes: readonly ListedFreeze[] }>;
  /** Has no effect on a user who is already frozen. */
  freeze(freeze: NewFreeze): Promise<void>;
  thaw(userName: UserName, by: UserName): Promise<void>;
}

/**
 * Freezes a user: new logins are refused, and open sessions on all peers are ended. A session that cannot be reached
 * now is refused at its next operation.
 */
export async function freezeUser(
  ports: {
    freezes: Pick<UserFreezes, 'freeze'>;
    registry: Pick<SessionRegistry, 'listAll'>;
    terminator: SessionTerminator;
    httpSessions: Pick<HttpSessions, 'endAllOf'>;
  },
  freeze: NewFreeze,
): Promise<void> {
  const { userName, by: requestedBy } = freeze;
  await ports.freezes.freeze(freeze);
  const open = (await ports.registry.listAll()).filter(({ session }) => session.userName === userName);
  const reason = `An administrator has frozen user ${userName}`;
  const order = { requestedBy, requestedFrom: currentClient(), reason };
  await Promise.allSettled([
    ports.httpSessions.endAllOf(userName, { requestedBy, reason }),
    ...open.map(({ server, session }) => ports.terminator.terminate(server, session.sessionId, order)),
  ]);
}
