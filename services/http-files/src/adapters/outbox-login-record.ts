import {
  composeAuditEvent,
  type AuditedCircumstances,
  type AuditedFact,
} from '@waybill/contracts/messages/audit-catalogue';
import { whomOf } from '@waybill/login-throttle/whom-of';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database, Transaction } from '@waybill/postgres/database';
import type { ServerPlace } from '../domain/access/origin-of.ts';
import type { LoginRecord } from '../domain/logins/login-record.ts';
import { forgetSession, listSessions, noteSession } from './login-session-rows.ts';

/** How users log in over HTTP. */
const authenticationBy = {
  password: 'password',
  totp: 'password, TOTP',
  recovery_code: 'password, recovery code',
} as const;

/** The user of a login, and its server. */
interface Place extends Pick<ServerPlace, 'peerName' | 'serverName'> {
  readonly user: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly context?: AuditedCircumstances['context'];
}

/**
 * Sends logins to the audit service, through the outbox. A login also stores the open session, and an end is only
 * audited if it removes that.
 */
export function createOutboxLoginRecord(options: {
  db: Database;
  server: ServerPlace;
  managerName: string;
}): LoginRecord {
  const { db, server, managerName } = options;
  const append = async (trx: Transaction, fact: AuditedFact, { user, peerName, serverName, names, context }: Place) => {
    const payload = composeAuditEvent(fact, {
      user,
      nodeId: peerName,
      managerName,
      entityType: 'HTTP Server',
      entityName: serverName,
      entityId: peerName,
      ...(names !== undefined && { names }),
      context,
    });
    await appendToOutbox(trx, [{ topic: 'audit-event', payload }]);
  };
  return {
    loggedIn: (session, method) =>
      db.transaction(async (trx) => {
        await noteSession(trx, session, server);
        const context = { session: session.id, authentication: authenticationBy[method] };
        await append(trx, 'serverLogin', { ...server, user: session.userName, context });
      }),
    loginFailed: (user, outcome) => {
      const context = { authentication: authenticationBy.password, outcome };
      return db.transaction((trx) => append(trx, 'serverLoginFailed', { ...server, user, context }));
    },
    loginsBanned: (subject, seconds) => {
      const names = { address: subject.address, whom: whomOf(subject), seconds: String(seconds) };
      const user = subject.userName ?? '';
      return db.transaction((trx) => append(trx, 'loginsBanned', { ...server, user, names }));
    },
    ended: ({ id }, reason, close) =>
      db.transaction(async (trx) => {
        // A concurrent end waits here, and then finds nothing to end.
        const opened = await forgetSession(trx, id);
        const context = { ...opened?.client, session: id, reason };
        if (opened !== undefined && reason === undefined)
          await append(trx, 'serverLogout', { ...opened, context: { session: id } });
        if (opened !== undefined && reason !== undefined)
          await append(trx, 'serverSessionEnded', { ...opened, names: { reason }, context });
        await close();
        return opened !== undefined;
      }),
    listOpen: (page) => listSessions(db, page),
  };
}
