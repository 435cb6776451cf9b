import { forgetFirstPasswordCode, issueFirstPasswordCode } from '@waybill/access/first-password-codes';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { Database } from '@waybill/postgres/database';

/** A manager user who may set a first password, and the code for it. */
export interface FirstPasswordCode {
  readonly userName: UserName;
  readonly code: string;
  readonly hours: number;
}

const hours = 24;

/** Creates a code for each enabled manager user without a password. It invalidates an earlier, unused code. */
export async function issueFirstPasswords(db: Database): Promise<FirstPasswordCode[]> {
  return await db.transaction(async (trx) => {
    const { rows } = await trx.raw<{ rows: { name: UserName; waits: boolean }[] }>(
      'SELECT name, password_hash IS NULL AND enabled AS waits FROM directory.manager_users ORDER BY name FOR UPDATE',
    );
    const codes: FirstPasswordCode[] = [];
    for (const { name: userName, waits } of rows) {
      if (waits) codes.push({ userName, hours, code: await issueFirstPasswordCode(trx, userName, hours) });
      else await forgetFirstPasswordCode(trx, userName);
    }
    return codes;
  });
}
