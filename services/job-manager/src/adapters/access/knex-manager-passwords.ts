import { isFirstPasswordCode, takeFirstPasswordCode } from '@waybill/access/first-password-codes';
import { hashPassword } from '@waybill/access/hash-password';
import type { RefreshTokens } from '@waybill/access/refresh-tokens';
import { findAccountStanding } from '@waybill/directory/accounts/account-standing';
import { assertPasswordChoice } from '@waybill/directory/accounts/assert-password-choice';
import { setManagerPassword } from '@waybill/directory/logins/set-manager-password';
import type { Database } from '@waybill/postgres/database';
import type { JobSite } from '../../config.ts';
import type { ManagerPasswords } from '../../domain/access/manager-passwords.ts';
import { notePassword } from './outbox-access-record.ts';

/** The passwords of manager users, in the directory. */
export function createKnexManagerPasswords(parts: {
  db: Database;
  refreshTokens: RefreshTokens;
  site: JobSite;
}): ManagerPasswords {
  const { db, refreshTokens, site } = parts;
  return {
    demandOn: async ({ id }) => (await findAccountStanding(db, { kind: 'manager', id }))?.passwordDemand,
    acceptsFirst: ({ name }, code) => isFirstPasswordCode(db, name, code),
    setFirst: async (user, code, password) => {
      await assertPasswordChoice(db, { ...user, kind: 'manager' }, password);
      const passwordHash = await hashPassword(password);
      return await db.transaction(async (trx) => {
        if (!(await takeFirstPasswordCode(trx, user.name, code))) return false;
        await setManagerPassword(trx, user.id, passwordHash);
        await notePassword(trx, 'passwordChanged', user, site);
        return true;
      });
    },
    change: async (user, password) => {
      await assertPasswordChoice(db, { ...user, kind: 'manager' }, password);
      const passwordHash = await hashPassword(password);
      await db.transaction(async (trx) => {
        await setManagerPassword(trx, user.id, passwordHash);
        await notePassword(trx, 'passwordChanged', user, site);
      });
      await refreshTokens.revokeAll(user.name);
    },
  };
}
