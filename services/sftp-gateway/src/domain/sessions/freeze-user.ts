import type { UserName } from '@waybill/contracts/values/user-name';
import type { SessionRegistry } from './session-registry.ts';
import type { SessionTerminator } from './session-terminator.ts';
import type { UserFreezes } from './user-freezes.ts';

/**
 * Freezes a user: new logins are refused, and open sessions on all peers are ended. A session that cannot be reached
 * now is refused at its next operation.
 */
export async function freezeUser(
  ports: {
    freezes: Pick<UserFreezes, 'freeze'>;
    registry: Pick<SessionRegistry, 'listAll'>;
    terminator: SessionTerminator;
  },
  { userName, requestedBy }: { readonly userName: UserName; readonly requestedBy: UserName },
): Promise<void> {
  await ports.freezes.freeze(userName, requestedBy);
  const open = (await ports.registry.listAll()).filter(({ session }) => session.userName === userName);
  const order = { requestedBy, reason: `An administrator has frozen user ${userName}` };
  await Promise.allSettled(
    open.map(({ server, session }) => ports.terminator.terminate(server, session.sessionId, order)),
  );
}
