import { CodedError } from '@waybill/contracts/errors/coded-error';
import { currentClient } from '@waybill/service-kit/telemetry/correlation';
import { requireServer, type Clusters } from './require-server.ts';
import type { ServerAddress, ServerSession } from './server-session.ts';
import type { SessionRegistry } from './session-registry.ts';
import type { SessionTerminator } from './session-terminator.ts';

/**
 * Ends an open session on any peer, and returns its last state.
 * @throws CodedError as `requireServer`, `session_unknown`, `peer_not_answering`
 */
export async function terminateSession(
  ports: { clusters: Clusters; registry: SessionRegistry; terminator: SessionTerminator },
  request: ServerAddress & {
    readonly sessionId: string;
    readonly requestedBy: string;
    /** Whose sessions the caller may end: others do not exist for the caller. */
    reaches(userName: string): boolean;
  },
): Promise<ServerSession> {
  const { sessionId, requestedBy, reaches, ...server } = request;
  await requireServer(ports, server);
  const order = {
    requestedBy,
    requestedFrom: currentClient(),
    reason: `Administrator ${requestedBy} has ended this session`,
  };
  const session = await ports.registry.find(server, sessionId);
  const isReached = session !== undefined && reaches(session.userName);
  if (!isReached || !(await ports.terminator.terminate(server, sessionId, order))) {
    throw new CodedError('session_unknown', { detail: `There is no open session '${sessionId}'` });
  }
  return session;
}
