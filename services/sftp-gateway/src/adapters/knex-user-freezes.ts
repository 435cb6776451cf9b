import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import {
  findFrozenUser,
  freezeUser,
  listFrozenUsers,
  type NewFreeze,
  thawUser,
} from '@waybill/directory/logins/frozen-users';
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
  const record = async (
    trx: Transaction,
    fact: 'userFrozen' | 'userThawed',
    { userName, by, reason }: NewFreeze,
  ): Promise<void> => {
    const about = { entityType: 'External User', entityName: userName, entityId: userName };
    const payload = composeAuditEvent(fact, {
      ...about,
      user: by,
      nodeId: server.peerName,
      managerName,
      names: { reason: reason === undefined ? '' : `: ${reason}` },
      ...(reason !== undefined && { context: { reason } }),
    });
    await appendToOutbox(trx, [{ topic: 'audit-event', payload }]);
  };
  return {
    find: (userName) => findFrozenUser(db, userName),
    list: (query) => listFrozenUsers(db, query),
    freeze: (freeze) =>
      db.transaction(async (trx) => {
        if ((await freezeUser(trx, freeze)) !== undefined) await record(trx, 'userFrozen', freeze);
      }),
    thaw: (userName, by) =>
      db.transaction(async (trx) => {
        if ((await thawUser(trx, userName)) !== undefined) await record(trx, 'userThawed', { userName, by });
      }),
  };
}
