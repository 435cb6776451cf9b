import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import type { AuditEvent } from '@waybill/contracts/messages/audit-event';
import { whomOf } from '@waybill/login-throttle/whom-of';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database, Transaction } from '@waybill/postgres/database';
import type { JobSite } from '../../config.ts';
import type { AccessRecord } from '../../domain/access/access-record.ts';

const authentication = 'password';

const contexts = {
  managerLogin: { authentication },
  managerLoginFailed: { authentication },
  managerSecondFactorDue: { authentication },
  managerPasswordDue: { authentication, outcome: 'password_change_required' },
  managerTokensRenewed: {},
  managerLogout: {},
} as const;

/** Sends what happens to logins and passwords to the audit service. */
export function createOutboxAccessRecord({ db, site }: { db: Database; site: JobSite }): AccessRecord {
  const { managerName, nodeName: nodeId } = site;
  const here = { nodeId, managerName, entityType: 'Manager', entityName: managerName, entityId: nodeId };
  const append = (payload: AuditEvent) =>
    db.transaction((trx) => appendToOutbox(trx, [{ topic: 'audit-event', payload }]));
  return {
    note: (fact, user, more = {}) => {
      const names = { reason: more.reason ?? '' };
      return append(composeAuditEvent(fact, { ...here, user, context: { ...contexts[fact], ...more }, names }));
    },
    loginsBanned: (subject, seconds) => {
      const names = { address: subject.address, whom: whomOf(subject), seconds: String(seconds) };
      return append(composeAuditEvent('managerLoginsBanned', { ...here, user: subject.userName ?? '', names }));
    },
    notePasswordRefusal: (user) => db.transaction((trx) => notePassword(trx, 'passwordChangeFailed', user, site)),
  };
}

/** Audits a change of password, or a refused one, as part of a transaction. */
export async function notePassword(
  transaction: Transaction,
  fact: 'passwordChanged' | 'passwordChangeFailed',
  user: { id: string; name: string },
  { managerName, nodeName }: JobSite,
): Promise<void> {
  const payload = composeAuditEvent(fact, {
    user: user.name,
    nodeId: nodeName,
    managerName,
    entityType: 'Internal User',
    entityName: user.name,
    entityId: user.id,
  });
  await appendToOutbox(transaction, [{ topic: 'audit-event', payload }]);
}
