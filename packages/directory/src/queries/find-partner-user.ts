import type { UserName } from '@waybill/contracts/values/user-name';
import type { Queryable } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import { hasExpired } from '../users/login-ways.ts';
import { combineMemberships, type DefinedGroup, definedGroupsColumn, type Memberships } from '../users/memberships.ts';
import type { LegacyException, PartnerUser } from '../users/partner-user.ts';

/** A row of `partnerUserColumns`. */
export interface PartnerUserRow extends Omit<
  PartnerUser,
  'passwordHash' | 'legacyAlgorithms' | 'expires' | keyof Memberships
> {
  passwordHash: string | null;
  legacyAlgorithms: LegacyException | null;
  groups: readonly string[];
  maxSessions: number | null;
  networks: readonly string[] | null;
  definedGroups: readonly DefinedGroup[];
  expires: string | null;
}

/** The keys of a user `u`: those of the configuration, and those that the user has added. */
export const publicKeysOfUser = `(u.definition -> 'publicKeys') || coalesce((
       SELECT jsonb_agg(
                jsonb_strip_nulls(jsonb_build_object('key', o.key, 'comment', o.comment, 'expires', o.expires_at))
                ORDER BY o.added_at, o.key)
         FROM directory.own_keys o
        WHERE o.user_id = u.id
          AND NOT u.definition -> 'publicKeys' @> jsonb_build_array(jsonb_build_object('key', o.key))), '[]')`;

/** Whether a user `u` is enabled, and not frozen. Freezes from before the user was created are of a former user of the same name. */
export const enabledColumn = `(u.enabled AND NOT EXISTS (
       SELECT FROM directory.frozen_users f WHERE f.user_name = u.name AND f.frozen_at >= u.created_at))`;

/** The columns of a user `u` of an actor `a`. */
export const partnerUserColumns = `u.id, u.name, a.id AS "actorId", a.name AS "actorName",
     u.password_hash AS "passwordHash",
     ${publicKeysOfUser} AS "publicKeys", u.definition ->> 'authentication' AS authentication,
     u.definition -> 'legacyAlgorithms' AS "legacyAlgorithms", u.groups,
     ${definedGroupsColumn} AS "definedGroups",
     ${enabledColumn} AS enabled,
     u.max_sessions AS "maxSessions", u.definition -> 'networks' AS networks, u.definition ->> 'expires' AS expires, u.login_epoch AS "loginEpoch",
     (SELECT version FROM directory.access_state) AS "accessVersion"`;

/** Run for each request over HTTP. */
const partnerUserByName = prepareStatement(
  'directory find partner user',
  `SELECT ${partnerUserColumns}
   FROM directory.partner_users u JOIN directory.actors a ON a.id = u.actor_id
   WHERE u.name = :name`,
);

/** The partner user with this name. */
export async function findPartnerUser(on: Queryable, name: UserName): Promise<PartnerUser | undefined> {
  const [row] = await runPrepared<PartnerUserRow>(on, partnerUserByName, { name });
  return row && partnerUserOf(row);
}

/** The user of a row, now or at another time in milliseconds since 1970. */
export function partnerUserOf({ definedGroups, ...row }: PartnerUserRow, nowMs = Date.now()): PartnerUser {
  const expires = row.expires ?? undefined;
  return {
    ...row,
    ...combineMemberships(row, definedGroups, nowMs),
    passwordHash: row.passwordHash ?? undefined,
    legacyAlgorithms: row.legacyAlgorithms ?? undefined,
    expires,
    enabled: row.enabled && !hasExpired({ expires }, nowMs),
  };
}
