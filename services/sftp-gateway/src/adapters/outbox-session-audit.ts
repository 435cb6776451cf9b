import {
  composeAuditEvent,
  type AuditedCircumstances,
  type AuditedFact,
} from '@waybill/contracts/messages/audit-catalogue';
import { whomOf } from '@waybill/login-throttle/whom-of';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import { appendWithChange } from '@waybill/outbox/append-with-change';
import type { Refusal, RefusalBook } from '@waybill/outbox/refusals/refusal-book';
import type { Database } from '@waybill/postgres/database';
import {
  auditedSession,
  clientOfSession,
  type ServerAddress,
  type ServerSession,
} from '../domain/sessions/server-session.ts';
import type { SessionAudit, SessionRefusal } from '../domain/sessions/session-audit.ts';
import { forgetOpenSession, noteOpenSession } from './open-session-rows.ts';

interface AuditedEntity {
  readonly entityType: string;
  readonly entityName: string;
  readonly entityId: string;
}

type About = AuditedEntity & Pick<AuditedCircumstances, 'user' | 'names' | 'context'>;

/**
 * Sends the events of sessions to the audit service, through the outbox. A login also stores the open session, and a
 * logout is audited only if it removes that.
 */
export function createOutboxSessionAudit(options: {
  db: Database;
  server: ServerAddress;
  processId: string;
  managerName: string;
  refusals: Pick<RefusalBook, 'note'>;
}): SessionAudit {
  const { db, server, processId, managerName, refusals } = options;
  const message = (fact: AuditedFact, about: About) => {
    const payload = composeAuditEvent(fact, { nodeId: server.peerName, managerName, ...about });
    return { topic: 'audit-event', payload } as const;
  };
  const record = (fact: AuditedFact, about: About) => appendToOutbox(db, [message(fact, about)]);
  const here = { entityType: 'SFTP Server', entityName: server.serverName, entityId: server.peerName };
  return {
    legacyUsed: (session, algorithms) =>
      record('legacyLogin', { ...here, ...of(session), names: { algorithms: algorithms.join(', ') } }),
    loggedIn: (session, evidence) => {
      const { sessionId, userName } = session;
      const client = JSON.stringify(clientOfSession(session));
      const bindings = { sessionId, processId, ...server, userName, client };
      const about = { ...here, ...of(session, { ...evidence }) };
      return appendWithChange(db, { statement: noteOpenSession, bindings }, [message('serverLogin', about)]);
    },
    loggedOut: (session, reason) => {
      const ended = { statement: forgetOpenSession, bindings: { sessionId: session.sessionId } };
      const about = { ...here, ...of(session, { reason }) };
      const said =
        reason === undefined
          ? message('serverLogout', about)
          : message('serverSessionEnded', { ...about, names: { reason } });
      return appendWithChange(db, ended, [said]);
    },
    ...auditLogins(record, here),
    terminated: ({ userName: whose, sessionId: session }, { requestedBy: user, requestedFrom }) =>
      record('sessionTerminated', {
        ...here,
        user,
        names: { whose, session },
        context: { ...requestedFrom, session: auditedSession(session) },
      }),
    refused: (refusal) => refusals.note(refusalOf(refusal, { nodeId: server.peerName, managerName })),
    folderChanged: ({ userName: user, path, sessionId, client, virtualFileSystem }) => {
      const context = { ...client, session: auditedSession(sessionId), virtualFileSystem };
      const folder = { entityType: 'Folder', entityName: path, entityId: path, names: { path } };
      return record('folderChanged', { ...folder, user, context });
    },
  };
}

const folderFacts: ReadonlySet<AuditedFact> = new Set([
  'folderListRefused',
  'folderCreateRefused',
  'folderDeleteRefused',
]);

/** Of an event of a session: its user, and the circumstances. */
function of(session: ServerSession, more: AuditedCircumstances['context'] = {}) {
  const context = { ...clientOfSession(session), session: auditedSession(session.sessionId), ...more };
  return { user: session.userName, context };
}

function auditLogins(
  record: (fact: AuditedFact, about: About) => Promise<void>,
  here: AuditedEntity,
): Pick<SessionAudit, 'loginFailed' | 'turnedAway' | 'loginsBanned' | 'banLifted'> {
  return {
    loginFailed: ({ userName: user, client, authentication, keyFingerprint }) => {
      const context = { ...client, authentication, keyFingerprint, outcome: 'invalid_credentials' };
      return record('serverLoginFailed', { ...here, user, context });
    },
    turnedAway: ({ userName: user, client, authentication, keyFingerprint }, { code: outcome, message: reason }) => {
      const context = { ...client, authentication, keyFingerprint, outcome, reason };
      return record('loginTurnedAway', { ...here, user, names: { reason }, context });
    },
    loginsBanned: (subject, seconds) => {
      const names = { address: subject.address, whom: whomOf(subject), seconds: String(seconds) };
      const context = { address: subject.address };
      return record('loginsBanned', { ...here, user: subject.userName ?? '', names, context });
    },
    banLifted: (subject, user) => {
      const { address } = subject;
      const entity = { entityType: 'Login Ban', entityName: address, entityId: address };
      return record('banLifted', { ...entity, user, names: { address, whom: whomOf(subject) } });
    },
  };
}

function refusalOf(
  { userName: user, fact, path, newPath = '', error, sessionId, client, virtualFileSystem }: SessionRefusal,
  site: { readonly nodeId: string; readonly managerName: string },
): Refusal {
  const { code: outcome, message: reason } = error;
  const context = { ...client, session: auditedSession(sessionId), virtualFileSystem, outcome, reason };
  const entity = { entityType: folderFacts.has(fact) ? 'Folder' : 'File', entityName: path, entityId: path };
  const circumstances = { ...entity, ...site, user, names: { path, newPath, reason }, context };
  return { subject: sessionId, fact, circumstances };
}
