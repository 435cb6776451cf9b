import { CodedError } from '@waybill/contracts/coded-error';
import type { Directory } from '@waybill/directory/directory';
import type { Authenticator } from '@waybill/http-kit/route';
import type { Caller } from '../domain/caller.ts';
import { credentialOf } from '../domain/credential-of.ts';
import type { ServerPlace } from '../domain/origin-of.ts';
import type { HeldSession } from './session-authenticator.ts';

/**
 * Knows callers as `authenticateSession` does, and what they see on this server now: before anything else of a request is
 * looked at.
 * @throws CodedError `not_authenticated` (the user is gone, disabled or frozen, or has another password now), `connection_contract_missing`
 */
export function createCallerAuthenticator(ports: {
  authenticateSession: Authenticator<HeldSession>;
  directory: Pick<Directory, 'findPartnerUser' | 'openMounts'>;
  server: ServerPlace;
}): Authenticator<Caller> {
  const { authenticateSession, directory, server } = ports;
  return async (context) => {
    const { userName, sessionId, session } = await authenticateSession(context);
    const user = await directory.findPartnerUser(userName);
    if (!user?.enabled || session.credential !== credentialOf(user)) throw new CodedError('not_authenticated');
    const mounts = await directory.openMounts(user, { cluster: server.clusterName, server: server.serverName });
    return { userName, sessionId, user, mounts };
  };
}
