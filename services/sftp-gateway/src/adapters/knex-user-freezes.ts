import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { findFrozenUser, freezeUser, listFrozenUsers, thawUser } from '@waybill/directory/logins/frozen-users';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database, Transaction } from '@waybill/postgres/database';
import type { UserFreezes } from '../domain/sessions/freeze-user.ts';
import type { ServerAddress } from '../domain/sessions/server-session.ts';

/** Freezes in the directory, each in one transaction with its audit event. */
export function createKnexUserFreezes(options: {
  db: Database;
  server: ServerAddress;
  managerName: string;
}): UserFreezes {
  const { db, server, managerName } = options;
  const record = async (trx: Transaction, fact: 'userFrozen' | 'userThawed', entityName: string, user: string) => {
    const about = { entityType: 'External User', entityName, entityId: entityName };
    const payload = composeAuditEvent(fact, { ...about, user, nodeId: server.peerName, managerName });
    await appendToOutbox(trx, [{ topic: 'audit-event', payload }]);
  };
  return {
    find: (userName) => findFrozenUser(db, userName),
    list: (query) => listFrozenUsers(db, query),
    freeze: (userName, by) =>
      db.transaction(async (trx) => {
        if ((await freezeUser(trx, userName, by)) !== undefined) await record(trx, 'userFrozen', userName, by);
      }),
    thaw: (userName, by) =>
      db.transaction(async (trx) => {
        if ((await thawUser(trx, userName)) !== undefined) await record(trx, 'userThawed', userName, by);
      }),
  };
}
