import type { Queryable } from '@waybill/postgres/database';
import type { LegacyException, PartnerUser } from '../partner-user.ts';
import { queryRows } from './query-rows.ts';
import { searchableName } from './searchable-name.ts';

interface PartnerUserRow extends Omit<PartnerUser, 'passwordHash' | 'legacyAlgorithms'> {
  passwordHash: string | null;
  legacyAlgorithms: LegacyException | null;
}

/** The partner user of that name. */
export async function findPartnerUser(on: Queryable, name: string): Promise<PartnerUser | undefined> {
  const searched = searchableName(name);
  if (searched === undefined) return undefined;
  const rows = await queryRows<PartnerUserRow>(
    on,
    `SELECT u.id, u.name, a.id AS "actorId", a.name AS "actorName", u.password_hash AS "passwordHash",
            u.definition -> 'publicKeys' AS "publicKeys", u.definition ->> 'authentication' AS authentication,
            u.definition -> 'legacyAlgorithms' AS "legacyAlgorithms", u.groups,
            (u.enabled AND NOT EXISTS (SELECT FROM directory.frozen_users f WHERE f.user_name = u.name)) AS enabled,
            u.max_sessions AS "maxSessions", u.login_epoch AS "loginEpoch"
       FROM directory.partner_users u JOIN directory.actors a ON a.id = u.actor_id
      WHERE u.name = :name`,
    { name: searched },
  );
  const [row] = rows;
  return (
    row && {
      ...row,
      passwordHash: row.passwordHash ?? undefined,
      legacyAlgorithms: row.legacyAlgorithms ?? undefined,
    }
  );
}
