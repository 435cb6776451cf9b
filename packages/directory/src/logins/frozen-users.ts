import type { UserName } from '@waybill/contracts/values/user-name';
import type { Queryable } from '@waybill/postgres/database';
import { queryRows } from '../queries/query-rows.ts';

/** A user that an administrator has blocked. */
export interface FrozenUser {
  readonly userName: UserName;
  readonly frozenAt: Date;
  /** The administrator. */
  readonly frozenBy: UserName;
  /** Null: none was given. */
  readonly reason: string | null;
}

/** A frozen user in a list. */
export interface ListedFreeze extends FrozenUser {
  /** Null: the user was removed from the configuration. */
  readonly actor: string | null;
}

/** Which frozen users are listed. */
export interface FreezeQuery {
  /** Only users of these actors; undefined: all. */
  readonly actors: readonly string[] | undefined;
  readonly limit: number;
}

/** Whether a freeze `f` is of a user who was deleted, and whose name another one has: see `enabledColumn`. */
const isFormer =
  'EXISTS (SELECT FROM directory.partner_users u WHERE u.name = f.user_name AND u.created_at > f.frozen_at)';

const columns = 'user_name AS "userName", frozen_at AS "frozenAt", frozen_by AS "frozenBy", reason';

/** The user, if frozen. */
export async function findFrozenUser(on: Queryable, userName: UserName): Promise<FrozenUser | undefined> {
  const sql = `SELECT ${columns} FROM directory.frozen_users f WHERE user_name = :userName AND NOT ${isFormer}`;
  const [found] = await queryRows<FrozenUser>(on, sql, { userName });
  return found;
}

/** The frozen users, the last that was frozen first, and how many there are. */
export async function listFrozenUsers(
  on: Queryable,
  { actors, limit }: FreezeQuery,
): Promise<{ readonly total: number; readonly freezes: readonly ListedFreeze[] }> {
  const sql = `SELECT f.user_name AS "userName", f.frozen_at AS "frozenAt", f.frozen_by AS "frozenBy", f.reason, a.name AS actor,
      CAST(count(*) OVER () AS int) AS total
    FROM directory.frozen_users f
      LEFT JOIN directory.partner_users u ON u.name = f.user_name
      LEFT JOIN directory.actors a ON a.id = u.actor_id
    WHERE NOT ${isFormer} AND (CAST(:actors AS jsonb) IS NULL
      OR a.name IN (SELECT jsonb_array_elements_text(CAST(:actors AS jsonb))))
    ORDER BY f.frozen_at DESC, f.user_name LIMIT :limit`;
  const bindings = { actors: actors === undefined ? null : JSON.stringify(actors), limit };
  const rows = await queryRows<ListedFreeze & { readonly total: number }>(on, sql, bindings);
  return { total: rows[0]?.total ?? 0, freezes: rows };
}

/** A freeze that was asked for. */
export interface NewFreeze {
  readonly userName: UserName;
  readonly by: UserName;
  readonly reason?: string | undefined;
}

/** Freezes a user; undefined if the user was frozen already. */
export async function freezeUser(on: Queryable, { userName, by, reason }: NewFreeze): Promise<FrozenUser | undefined> {
  await forgetFormer(on, userName);
  const sql = `INSERT INTO directory.frozen_users (user_name, frozen_by, reason) VALUES (:userName, :by, :reason)
    ON CONFLICT DO NOTHING RETURNING ${columns}`;
  const [frozen] = await queryRows<FrozenUser>(on, sql, { userName, by, reason: reason ?? null });
  return frozen;
}

/** Thaws a user; undefined if the user was not frozen. */
export async function thawUser(on: Queryable, userName: UserName): Promise<FrozenUser | undefined> {
  await forgetFormer(on, userName);
  const sql = `DELETE FROM directory.frozen_users WHERE user_name = :userName RETURNING ${columns}`;
  const [thawed] = await queryRows<FrozenUser>(on, sql, { userName });
  return thawed;
}

async function forgetFormer(on: Queryable, userName: UserName): Promise<void> {
  await queryRows(on, `DELETE FROM directory.frozen_users f WHERE user_name = :userName AND ${isFormer}`, { userName });
}
