import { CodedError } from '@waybill/contracts/errors/coded-error';
import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import type { UserName } from '@waybill/contracts/values/user-name';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Transaction } from '@waybill/postgres/database';
import { type FirstPasswordCode, issueFirstPassword } from '../logins/issue-first-passwords.ts';
import { queryRows } from '../queries/query-rows.ts';
import { readEntity } from '../sources/stored-entities.ts';
import { assertMaySetCredentials } from './assert-may-set-credentials.ts';
import { assertMayWrite } from './assert-may-write.ts';
import { withoutEntity } from './only-entity.ts';
import { unknownEntity } from './unknown-entity.ts';
import type { EntityWriter } from './write-in-transaction.ts';

/**
 * Creates another code for the first password of a manager user, whose code was lost, and audits that. Earlier codes no longer work.
 * Who gets it can become that user: the rules are those of setting the password.
 * @throws CodedError `entity_unknown`, `not_permitted`, `first_password_refused`
 */
export async function renewFirstPassword(
  { db, by, rights }: Pick<EntityWriter, 'db' | 'by' | 'rights'>,
  userName: UserName,
): Promise<FirstPasswordCode> {
  const target = { entityType: 'Internal User', name: userName } as const;
  return await db.transaction(async (trx) => {
    const stored = await readEntity(trx, target);
    if (!stored) throw unknownEntity(target);
    const writer = { userName: by.user, apiKeyId: rights.apiKeyId };
    assertMaySetCredentials(writer, [{ name: userName, credential: 'password', isNew: false }]);
    await assertMayWrite(trx, rights, { target, stored, configuration: withoutEntity() });
    await assertWaits(trx, userName);
    const entity = { entityType: stored.entityType, entityName: userName, entityId: stored.id };
    const payload = composeAuditEvent('firstPasswordCodeIssued', { ...by, ...entity });
    await appendToOutbox(trx, [{ topic: 'audit-event', payload }]);
    return await issueFirstPassword(trx, userName);
  });
}

/** @throws CodedError `first_password_refused` for a user who has a password, or who is disabled */
async function assertWaits(trx: Transaction, userName: UserName): Promise<void> {
  const [user] = await queryRows<{ hasPassword: boolean; enabled: boolean }>(
    trx,
    `SELECT password_hash IS NOT NULL AS "hasPassword", enabled FROM directory.manager_users WHERE name = :userName FOR UPDATE`,
    { userName },
  );
  const why = user?.hasPassword ? 'has a password' : !user?.enabled && 'is disabled';
  if (why) throw new CodedError('first_password_refused', { detail: `The manager user ${userName} ${why}` });
}
