import { deleteApiKeys } from '@waybill/access/api-key';
import { createRefreshTokens } from '@waybill/access/refresh-tokens';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Transaction } from '@waybill/postgres/database';
import type { Change } from '../apply/change.ts';
import { portionsOf } from '../apply/entity-rows.ts';
import { type AppliedBy, auditChanges } from './audit-changes.ts';
import { listenToTriggers } from './listen-to-triggers.ts';

/** Completes a transaction that changed the configuration: ends logins, listens to the triggers, and audits each change. */
export async function settleChanges(trx: Transaction, changes: readonly Change[], by: AppliedBy): Promise<void> {
  await endLogins(trx, changes);
  await listenToTriggers(trx);
  for (const some of portionsOf(changes)) await appendToOutbox(trx, auditChanges(some, by));
}

/** Ends the logins of manager users who were removed or got another password, and the API keys of the former. */
async function endLogins(trx: Transaction, changes: readonly Change[]): Promise<void> {
  const refreshTokens = createRefreshTokens({ db: trx });
  for (const { entityType, entityName, change, fields } of changes) {
    const ends = change === 'deleted' || fields.includes('password');
    if (entityType !== 'Internal User' || !ends) continue;
    const userName = userNameSchema.parse(entityName);
    await refreshTokens.revokeAll(userName);
    // A new user of the same name has none of them.
    if (change === 'deleted') await deleteApiKeys(trx, userName);
  }
}
