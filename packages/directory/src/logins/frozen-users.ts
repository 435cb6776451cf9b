import type { UserName } from '@waybill/contracts/values/user-name';
import type { Queryable } from '@waybill/postgres/database';
import { queryRows } from '../queries/query-rows.ts';

/** A user that an administrator keeps out for the time being. */
export interface FrozenUser {
  readonly userName: UserName;
  readonly frozenAt: Date;
  /** The administrator. */
  readonly frozenBy: UserName;
}

const columns = 'user_name AS "userName", frozen_at AS "frozenAt", frozen_by AS "frozenBy"';

/** The user when frozen now. */
export async function findFrozenUser(on: Queryable, userName: UserName): Promise<FrozenUser | undefined> {
  const sql = `SELECT ${columns} FROM directory.frozen_users WHERE user_name = :userName`;
  const [found] = await queryRows<FrozenUser>(on, sql, { userName });
  return found;
}

/** Freezes a user; undefined when that was so before. */
export async function freezeUser(on: Queryable, userName: UserName, by: UserName): Promise<FrozenUser | undefined> {
  const sql = `INSERT INTO directory.frozen_users (user_name, frozen_by) VALUES (:userName, :by)
    ON CONFLICT DO NOTHING RETURNING ${columns}`;
  const [frozen] = await queryRows<FrozenUser>(on, sql, { userName, by });
  return frozen;
}

/** Thaws a user; undefined when there was nothing to thaw. */
export async function thawUser(on: Queryable, userName: UserName): Promise<FrozenUser | undefined> {
  const sql = `DELETE FROM directory.frozen_users WHERE user_name = :userName RETURNING ${columns}`;
  const [thawed] = await queryRows<FrozenUser>(on, sql, { userName });
  return thawed;
}
