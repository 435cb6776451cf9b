import { createRefreshTokens } from '@waybill/access/refresh-tokens';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import type { Transaction } from '@waybill/postgres/database';
import type { Change } from './change.ts';

/** Ends what manager users are logged in with who were removed or got another password. */
export async function endLogins(trx: Transaction, changes: readonly Change[]): Promise<void> {
  const refreshTokens = createRefreshTokens({ db: trx });
  for (const { entityType, entityName, change, fields } of changes) {
    const ends = change === 'deleted' || fields.includes('password');
    if (entityType === 'Internal User' && ends) await refreshTokens.revokeAll(userNameSchema.parse(entityName));
  }
}
