import type { Transaction } from '@waybill/postgres/database';

/** Sets the password of a manager user, as part of a transaction. `passwordHash` is a PHC string. */
export async function setManagerPassword(
  transaction: Transaction,
  userId: string,
  passwordHash: string,
): Promise<void> {
  await transaction.raw('UPDATE directory.manager_users SET password_hash = ? WHERE id = ?', [passwordHash, userId]);
}
