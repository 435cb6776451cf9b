import type { Queryable } from '@waybill/postgres/database';
import type { PartnerUser } from '../partner-user.ts';
import type { PublicKeyLine } from '../public-key-line.ts';
import { queryRows } from './query-rows.ts';
import { searchableName } from './searchable-name.ts';

interface PartnerUserRow extends Omit<PartnerUser, 'passwordHash'> {
  passwordHash: string | null;
  publicKeys: PublicKeyLine[];
}

/** The partner user of that name. */
export async function findPartnerUser(on: Queryable, name: string): Promise<PartnerUser | undefined> {
  const searched = searchableName(name);
  if (searched === undefined) return undefined;
  const rows = await queryRows<PartnerUserRow>(
    on,
    `SELECT u.id, u.name, a.id AS "actorId", a.name AS "actorName", u.password_hash AS "passwordHash",
            u.public_keys AS "publicKeys", u.groups, u.enabled,
            u.max_sessions AS "maxSessions"
       FROM directory.partner_users u JOIN directory.actors a ON a.id = u.actor_id
      WHERE u.name = :name`,
    { name: searched },
  );
  const [row] = rows;
  return row && { ...row, passwordHash: row.passwordHash ?? undefined };
}
