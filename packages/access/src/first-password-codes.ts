import type { UserName } from '@waybill/contracts/values/user-name';
import type { Queryable } from '@waybill/postgres/database';
import { codeHash as hashOf, randomCode } from './random-code.ts';

const groups = 5;
const groupLength = 5;

/** Creates a code for a user, which replaces an earlier one. 125 random bits, as `A1B2C-D3E4F-...`. */
export async function issueFirstPasswordCode(on: Queryable, userName: UserName, hours: number): Promise<string> {
  const code = randomCode(groups, groupLength);
  await on.raw(
    `INSERT INTO access.first_password_codes (user_name, code_hash, expires_at)
     VALUES (:userName, :hash, now() + make_interval(hours => :hours))
     ON CONFLICT (user_name) DO UPDATE SET code_hash = excluded.code_hash, expires_at = excluded.expires_at`,
    { userName, hash: hashOf(code), hours },
  );
  return code;
}

/** Whether a code is the latest one of the user, and has not expired. */
export async function isFirstPasswordCode(on: Queryable, userName: UserName, code: string): Promise<boolean> {
  const { rows } = await on.raw<{ rows: unknown[] }>(
    'SELECT FROM access.first_password_codes WHERE user_name = ? AND code_hash = ? AND expires_at > now()',
    [userName, hashOf(code)],
  );
  return rows.length > 0;
}

/** Deletes a code; false if it was already deleted. For the transaction that sets the password. */
export async function takeFirstPasswordCode(on: Queryable, userName: UserName, code: string): Promise<boolean> {
  const { rows } = await on.raw<{ rows: unknown[] }>(
    `DELETE FROM access.first_password_codes WHERE user_name = ? AND code_hash = ? AND expires_at > now()
     RETURNING user_name`,
    [userName, hashOf(code)],
  );
  return rows.length > 0;
}

/** Deletes the code of a user who now has a password. */
export async function forgetFirstPasswordCode(on: Queryable, userName: UserName): Promise<void> {
  await forgetFirstPasswordCodes(on, [userName]);
}

/** Deletes the codes of users. */
export async function forgetFirstPasswordCodes(on: Queryable, userNames: readonly string[]): Promise<void> {
  await on.raw('DELETE FROM access.first_password_codes WHERE user_name = ANY(CAST(? AS text[]))', [[...userNames]]);
}
