import type { UserName } from '@waybill/contracts/values/user-name';
import type { Queryable } from '@waybill/postgres/database';
import { queryRows } from '../queries/query-rows.ts';

/** A user that an administrator has blocked. */
export interface FrozenUser {
  readonly userName: UserName;
  readonly frozenAt: Date;
  /** The administrator. */
  readonly frozenBy: UserName;
}

const columns = 'user_name AS "userName", frozen_at AS "frozenAt", frozen_by AS "frozenBy"';

/** The user, if frozen. */
export async function findFrozenUser(on: Queryable, userName: UserName): Promise<FrozenUser | undefined> {
  const sql = `SELECT ${columns} FROM directory.frozen_users WHERE user_name = :userName`;
  const [found] = await queryRows<FrozenUser>(on, sql, { userName });
  return found;
}

/** Freezes a user; undefined if the user was frozen already. */
export async function freezeUser(on: Queryable, userName: UserName, by: UserName): Promise<FrozenUser | undefined> {
  const sql = `INSERT INTO directory.frozen_users (user_name, frozen_by) VALUES (:userName, :by)
    ON CONFLICT DO NOTHING RETURNING ${columns}`;
  const [frozen] = await queryRows<FrozenUser>(on, sql, { userName, by });
  return frozen;
}

/** Thaws a user; undefined if the user was not frozen. */
export async function thawUser(on: Queryable, userName: UserName): Promise<FrozenUser | undefined> {
  const sql = `DELETE FROM directory.frozen_users WHERE user_name = :userName RETURNING ${columns}`;
  const [thawed] = await queryRows<FrozenUser>(on, sql, { userName });
  return thawed;
}
