import { type Grant, grantsOf, type Identity } from '@waybill/access/principal';
import type { RoleConfiguration } from '@waybill/contracts/roles/role-configuration';
import type { Queryable } from '@waybill/postgres/database';
import { queryRows } from '../queries/query-rows.ts';

/** What a manager user may do now. */
export interface Rights {
  readonly roles: readonly string[];
  readonly grants: readonly Grant[];
}

interface RightsRow {
  readonly roles: string[];
  readonly defined: RoleConfiguration[];
}

/**
 * A user of the configuration has the roles that stand there; a login with an issuer ends when the user is another one there. One whom an outside issuer has identified has those of the login, until a
 * user of the configuration has the name.
 */
const sql = `
  SELECT own.roles,
         (SELECT coalesce(jsonb_agg(r.definition), '[]') FROM directory.roles r WHERE r.name = ANY (own.roles)) AS defined
    FROM (
      SELECT m.roles FROM directory.manager_users m WHERE m.name = :userName AND m.enabled
         AND (CAST(:sessionId AS bigint) IS NULL OR EXISTS (
           SELECT FROM access.refresh_tokens t
            WHERE t.id = CAST(:sessionId AS bigint) AND t.user_name = m.name AND t.roles IS NULL
              AND (t.issuer IS NULL OR (t.issuer = m.oidc_issuer AND t.subject = m.oidc_subject AND t.expires_at > now()))))
      UNION ALL
      SELECT t.roles FROM access.refresh_tokens t
       WHERE t.id = CAST(:sessionId AS bigint) AND t.user_name = :userName AND t.roles IS NOT NULL AND t.expires_at > now()
         AND NOT EXISTS (SELECT FROM directory.manager_users m WHERE m.name = t.user_name)) own`;

/** The rights of a manager user; `undefined` if there is no such user, if the user is disabled, or if this login has ended. */
export async function findRights(
  on: Queryable,
  { userName, sessionId }: Pick<Identity, 'userName' | 'sessionId'>,
): Promise<Rights | undefined> {
  const [row] = await queryRows<RightsRow>(on, sql, { userName, sessionId: sessionId ?? null });
  if (!row) return undefined;
  return { roles: row.roles, grants: grantsOf(row.roles, new Map(row.defined.map((role) => [role.name, role]))) };
}

/** What roles allow now, by their names. */
export async function findGrants(on: Queryable, roles: readonly string[]): Promise<Grant[]> {
  const rows = await queryRows<{ definition: RoleConfiguration }>(
    on,
    'SELECT definition FROM directory.roles WHERE name IN (SELECT jsonb_array_elements_text(CAST(:roles AS jsonb)))',
    { roles: JSON.stringify(roles) },
  );
  return grantsOf(roles, new Map(rows.map(({ definition }) => [definition.name, definition])));
}
