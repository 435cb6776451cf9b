import { composeAuditEvent, type AuditedFact } from '@waybill/contracts/messages/audit-catalogue';
import { whomOf } from '@waybill/login-throttle/whom-of';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import { appendWithChange } from '@waybill/outbox/append-with-change';
import type { Database } from '@waybill/postgres/database';
import type { ServerAddress } from '../domain/sessions/server-session.ts';
import type { SessionAudit } from '../domain/sessions/session-audit.ts';
import { forgetOpenSession, noteOpenSession } from './open-session-rows.ts';

interface AuditedEntity {
  readonly entityType: string;
  readonly entityName: string;
  readonly entityId: string;
}

type About = AuditedEntity & { user: string; names?: Record<string, string> };

/**
 * Sends the events of sessions to the audit service, through the outbox. A login also stores the open session, and a
 * logout is audited only if it removes that.
 */
export function createOutboxSessionAudit(options: {
  db: Database;
  server: ServerAddress;
  processId: string;
  managerName: string;
}): SessionAudit {
  const { db, server, processId, managerName } = options;
  const message = (fact: AuditedFact, about: About) => {
    const payload = composeAuditEvent(fact, { nodeId: server.peerName, managerName, ...about });
    return { topic: 'audit-event', payload } as const;
  };
  const record = (fact: AuditedFact, about: About) => appendToOutbox(db, [message(fact, about)]);
  const here = { entityType: 'SFTP Server', entityName: server.serverName, entityId: server.peerName };
  return {
    legacyUsed: ({ userName: user }, algorithms) =>
      record('legacyLogin', { ...here, user, names: { algorithms: algorithms.join(', ') } }),
    loggedIn: ({ sessionId, userName: user }) => {
      const { peerName, serverName } = server;
      const bindings = { sessionId, processId, peerName, serverName, userName: user };
      return appendWithChange(db, { statement: noteOpenSession, bindings }, [
        message('serverLogin', { ...here, user }),
      ]);
    },
    loggedOut: ({ sessionId, userName: user }, reason) => {
      const ended = { statement: forgetOpenSession, bindings: { sessionId } };
      const about = { ...here, user };
      const said =
        reason === undefined
          ? message('serverLogout', about)
          : message('serverSessionEnded', { ...about, names: { reason } });
      return appendWithChange(db, ended, [said]);
    },
    loginFailed: (user) => record('serverLoginFailed', { ...here, user }),
    turnedAway: (user, reason) => record('loginTurnedAway', { ...here, user, names: { reason } }),
    loginsBanned: (subject, seconds) => {
      const names = { address: subject.address, whom: whomOf(subject), seconds: String(seconds) };
      return record('loginsBanned', { ...here, user: subject.userName ?? '', names });
    },
    banLifted: (subject, user) => {
      const { address } = subject;
      const entity = { entityType: 'Login Ban', entityName: address, entityId: address };
      return record('banLifted', { ...entity, user, names: { address, whom: whomOf(subject) } });
    },
    terminated: ({ userName: whose, sessionId: session }, user) =>
      record('sessionTerminated', { ...here, user, names: { whose, session } }),
    folderChanged: (user, path) =>
      record('folderChanged', { entityType: 'Folder', entityName: path, entityId: path, user, names: { path } }),
  };
}
