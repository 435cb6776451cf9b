import type { UserName } from '@waybill/contracts/values/user-name';
import type { Queryable } from '@waybill/postgres/database';
import type { ManagerUser, OidcLink } from '../users/manager-user.ts';
import { queryRows } from './query-rows.ts';

interface ManagerRow extends Omit<ManagerUser, 'passwordHash' | 'oidc'> {
  readonly passwordHash: string | null;
  readonly issuer: string | null;
  readonly subject: string | null;
}

const columns = `id, name, password_hash AS "passwordHash", roles, enabled, oidc_issuer AS issuer, oidc_subject AS subject`;

/** The manager user with this name. */
export async function findManagerUser(on: Queryable, name: UserName): Promise<ManagerUser | undefined> {
  const [row] = await queryRows<ManagerRow>(on, `SELECT ${columns} FROM directory.manager_users WHERE name = :name`, {
    name,
  });
  return row && asUser(row);
}

/** The manager user, enabled or not, who is this user of an outside issuer. */
export async function findLinkedUser(on: Queryable, { issuer, subject }: OidcLink): Promise<ManagerUser | undefined> {
  const [row] = await queryRows<ManagerRow>(
    on,
    `SELECT ${columns} FROM directory.manager_users WHERE oidc_issuer = :issuer AND oidc_subject = :subject`,
    { issuer, subject },
  );
  return row && asUser(row);
}

function asUser({ passwordHash, issuer, subject, ...user }: ManagerRow): ManagerUser {
  const oidc = issuer === null || subject === null ? undefined : { issuer, subject };
  return { ...user, passwordHash: passwordHash ?? undefined, oidc };
}
