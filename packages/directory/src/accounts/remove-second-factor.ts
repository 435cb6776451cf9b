import { deleteSecondFactor } from '@waybill/access/second-factors/second-factors';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import type { UserName } from '@waybill/contracts/values/user-name';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database, Transaction } from '@waybill/postgres/database';
import type { PartnerUser } from '../users/partner-user.ts';

/** The user whose second factor is removed, by whom, and why. */
export interface SecondFactorRemoval {
  readonly userName: UserName;
  readonly by: { readonly user: string; readonly nodeId: string; readonly managerName: string };
  /** For the audit log. */
  readonly reason?: string;
}

/**
 * Removes the second factor of a manager user with its recovery codes, and audits that. Logins go on.
 * @throws CodedError `entity_unknown`; `second_factor_absent`
 */
export async function removeSecondFactor(db: Database, removal: SecondFactorRemoval): Promise<void> {
  const { userName, by, reason } = removal;
  await db.transaction(async (trx) => {
    const { rows } = await trx.raw<{ rows: { id: string }[] }>(
      'SELECT id::text FROM directory.manager_users WHERE name = ?',
      [userName],
    );
    const [user] = rows;
    if (!user) throw new CodedError('entity_unknown', { detail: `There is no manager user ${userName}` });
    if (!(await deleteSecondFactor(trx, 'managers', userName)))
      throw new CodedError('second_factor_absent', { detail: `The user ${userName} has no second factor` });
    await noteRemoval(trx, { entityType: 'Internal User', entityName: userName, entityId: user.id }, { by, reason });
  });
}

/**
 * Removes the second factor of a user of a partner with its recovery codes, and audits that. Sessions go on.
 * @throws CodedError `second_factor_absent`
 */
export async function removePartnerSecondFactor(
  db: Database,
  { id: entityId, name: entityName }: Pick<PartnerUser, 'id' | 'name'>,
  by: SecondFactorRemoval['by'],
): Promise<void> {
  await db.transaction(async (trx) => {
    if (!(await deleteSecondFactor(trx, 'partners', entityName))) throw new CodedError('second_factor_absent');
    await noteRemoval(trx, { entityType: 'External User', entityName, entityId }, { by });
  });
}

async function noteRemoval(
  trx: Transaction,
  entity: { readonly entityType: string; readonly entityName: string; readonly entityId: string },
  { by, reason }: { readonly by: SecondFactorRemoval['by']; readonly reason?: string | undefined },
): Promise<void> {
  const names = { reason: reason === undefined ? '' : `: ${reason}` };
  const payload = composeAuditEvent('secondFactorRemoved', { ...by, ...entity, context: { reason }, names });
  await appendToOutbox(trx, [{ topic: 'audit-event', payload }]);
}
