import { deleteSecondFactor } from '@waybill/access/second-factors/second-factors';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import type { UserName } from '@waybill/contracts/values/user-name';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database } from '@waybill/postgres/database';

/** The user whose second factor is removed, by whom, and why. */
export interface SecondFactorRemoval {
  readonly userName: UserName;
  readonly by: { readonly user: string; readonly nodeId: string; readonly managerName: string };
  /** For the audit log. */
  readonly reason?: string;
}

/**
 * Removes the second factor of a manager user with its recovery codes, and audits that. Logins go on.
 * @throws CodedError `entity_unknown` if there is none
 */
export async function removeSecondFactor(db: Database, removal: SecondFactorRemoval): Promise<void> {
  const { userName, by, reason } = removal;
  await db.transaction(async (trx) => {
    const { rows } = await trx.raw<{ rows: { id: string }[] }>(
      'SELECT id::text FROM directory.manager_users WHERE name = ?',
      [userName],
    );
    const [user] = rows;
    if (!user || !(await deleteSecondFactor(trx, userName))) {
      throw new CodedError('entity_unknown', { detail: `The user ${userName} has no second factor` });
    }
    const payload = composeAuditEvent('secondFactorRemoved', {
      ...by,
      entityType: 'Internal User',
      entityName: userName,
      entityId: user.id,
      context: { reason },
      names: { reason: reason === undefined ? '' : `: ${reason}` },
    });
    await appendToOutbox(trx, [{ topic: 'audit-event', payload }]);
  });
}
