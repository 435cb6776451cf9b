import { passwordObjections } from '@waybill/access/passwords/password-objections';
import { verifyPassword } from '@waybill/access/verify-password';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Database } from '@waybill/postgres/database';
import { queryRows } from '../queries/query-rows.ts';
import { type AccountUser, builtInPolicy, findAccountStanding } from './account-standing.ts';

/** A user who chooses a password. */
export interface ChoosingUser extends AccountUser {
  readonly name: string;
  /** A PHC string. */
  readonly passwordHash: string | undefined;
}

/**
 * Whether the policy of a user allows a password that the user chooses. Compares it with the earlier ones, some 25 ms each.
 * @throws CodedError `password_refused`, with every objection
 */
export async function assertPasswordChoice(db: Database, user: ChoosingUser, password: string): Promise<void> {
  const standing = await findAccountStanding(db, user);
  const { passwords: rules } = standing?.policy ?? builtInPolicy;
  const objections = passwordObjections(rules, user.name, password);
  if (objections.length === 0)
    objections.push(...(await findRepetition(db, user, { password, history: rules.history })));
  if (objections.length === 0) return;
  const message = objections.join(', and ');
  throw new CodedError('password_refused', {
    detail: `The new password ${message}`,
    fields: [{ field: 'newPassword', message }],
  });
}

async function findRepetition(
  db: Database,
  { kind, id, passwordHash }: ChoosingUser,
  { password, history }: { password: string; history: number },
): Promise<string[]> {
  if (passwordHash !== undefined && (await verifyPassword(passwordHash, password))) return ['is the present one'];
  const earlier = await queryRows<{ hash: string }>(
    db,
    `SELECT password_hash AS hash FROM directory.password_history WHERE ${kind}_user_id = :id ORDER BY id DESC LIMIT :history`,
    { id, history },
  );
  for (const { hash } of earlier) {
    if (await verifyPassword(hash, password)) return [`is one of your last ${history}`];
  }
  return [];
}
