import { forgetFirstPasswordCode, issueFirstPasswordCode } from '@waybill/access/first-password-codes';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { Database, Transaction } from '@waybill/postgres/database';

/** A manager user who may set a first password, and the code for it. */
export interface FirstPasswordCode {
  readonly userName: UserName;
  readonly code: string;
  readonly hours: number;
}

const hours = 24;

/**
 * Creates a code for each enabled manager user without a password, or for those of `names`. It invalidates an earlier, unused
 * code. Who gets a code can become that user: give the names of the users whom the caller may change.
 */
export async function issueFirstPasswords(db: Database, names?: ReadonlySet<string>): Promise<FirstPasswordCode[]> {
  return await db.transaction(async (trx) => {
    const { rows } = await trx.raw<{ rows: { name: UserName; waits: boolean }[] }>(
      'SELECT name, password_hash IS NULL AND enabled AS waits FROM directory.manager_users ORDER BY name FOR UPDATE',
    );
    const codes: FirstPasswordCode[] = [];
    for (const { name: userName, waits } of rows) {
      if (names?.has(userName) === false) continue;
      if (waits) codes.push(await issueFirstPassword(trx, userName));
      else await forgetFirstPasswordCode(trx, userName);
    }
    return codes;
  });
}

/** Creates a code for one manager user, who must have no password. It invalidates an earlier one. */
export async function issueFirstPassword(trx: Transaction, userName: UserName): Promise<FirstPasswordCode> {
  return { userName, hours, code: await issueFirstPasswordCode(trx, userName, hours) };
}
