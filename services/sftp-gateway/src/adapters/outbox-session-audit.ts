import { composeAuditEvent, type AuditedFact } from '@waybill/contracts/audit-catalogue';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database } from '@waybill/postgres/database';
import type { ServerAddress } from '../domain/sessions/server-address.ts';
import type { SessionAudit } from '../domain/sessions/session-audit.ts';

interface AuditedEntity {
  readonly entityType: string;
  readonly entityName: string;
  readonly entityId: string;
}

/** Hands what happens to sessions to the audit service, through the outbox. */
export function createOutboxSessionAudit(options: {
  db: Database;
  server: ServerAddress;
  managerName: string;
}): SessionAudit {
  const { db, server, managerName } = options;
  const record = async (fact: AuditedFact, about: AuditedEntity & { user: string; names?: Record<string, string> }) => {
    const payload = composeAuditEvent(fact, { nodeId: server.peerName, managerName, ...about });
    await db.transaction((transaction) => appendToOutbox(transaction, [{ topic: 'audit-event', payload }]));
  };
  const here = { entityType: 'SFTP Server', entityName: server.serverName, entityId: server.peerName };
  return {
    loggedIn: ({ userName: user }) => record('serverLogin', { ...here, user }),
    legacyUsed: ({ userName: user }, algorithms) =>
      record('legacyLogin', { ...here, user, names: { algorithms: algorithms.join(', ') } }),
    loggedOut: ({ userName: user }) => record('serverLogout', { ...here, user }),
    loginFailed: (user) => record('serverLoginFailed', { ...here, user }),
    turnedAway: (user, reason) => record('loginTurnedAway', { ...here, user, names: { reason } }),
    loginsBanned: ({ address, userName }, seconds) => {
      const names = { address, whom: whomOf(userName), seconds: String(seconds) };
      return record('loginsBanned', { ...here, user: userName ?? '', names });
    },
    banLifted: ({ address, userName }, user) => {
      const entity = { entityType: 'Login Ban', entityName: address, entityId: address };
      return record('banLifted', { ...entity, user, names: { address, whom: whomOf(userName) } });
    },
    terminated: ({ userName: user, sessionId: session }, by) =>
      record('sessionTerminated', { ...here, user, names: { by, session } }),
    folderChanged: (user, path) =>
      record('folderChanged', { entityType: 'Folder', entityName: path, entityId: path, user, names: { path } }),
  };
}

function whomOf(userName: string | undefined): string {
  return userName === undefined ? 'everybody' : `user ${userName}`;
}
