import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Database, Transaction } from '../database.ts';
import { type DatabaseRole, loginRoles, roleNameOf, runtimeRoleNames } from './database-roles.ts';
import { scramVerifier } from './scram-verifier.ts';

/** The roles of an installation. */
export interface RoleSettings {
  /**
   * The prefix of their names; `waybill` by default. Installations that share a PostgreSQL server need different ones.
   */
  readonly prefix: string;
  /** New passwords. A role without one keeps its current password. */
  readonly passwords: Readonly<Partial<Record<(typeof loginRoles)[number], string>>>;
}

interface RoleRow {
  rolname: string;
  rolcanlogin: boolean;
  /** Has privileges beyond the table of grants. */
  powerful: boolean;
}

const withoutPowers = 'NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS';

/**
 * Creates missing roles, revokes attributes that roles must not have, and sets passwords. It writes nothing if
 * everything is right, so that a migrator, which may not change roles, can run it too. @throws CodedError
 * `configuration_invalid` if a role is missing or wrong and this user may not change that
 */
export async function ensureRoles(db: Database, settings: RoleSettings): Promise<void> {
  await retryWhenOvertaken(() =>
    db.transaction(async (trx) => {
      await trx.raw("SELECT pg_advisory_xact_lock(hashtextextended('waybill roles', 0))");
      for (const role of ['owner', ...loginRoles] as const) await ensureRole(trx, role, settings);
      await ensureMemberships(trx, settings.prefix);
    }),
  ).catch((error: unknown) => explain(error));
}

async function ensureRole(trx: Transaction, role: DatabaseRole, { prefix, passwords }: RoleSettings): Promise<void> {
  const name = roleNameOf(role, prefix);
  const login = role === 'owner' ? 'NOLOGIN' : 'LOGIN';
  const { rows } = await trx.raw<{ rows: RoleRow[] }>(
    `SELECT rolname, rolcanlogin, rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls AS powerful
     FROM pg_roles WHERE rolname = ?`,
    [name],
  );
  const [known] = rows;
  if (known === undefined) await trx.raw(`CREATE ROLE ?? ${login} ${withoutPowers}`, [name]);
  else if (known.powerful || known.rolcanlogin !== (role !== 'owner')) {
    await trx.raw(`ALTER ROLE ?? ${login} ${withoutPowers}`, [name]);
  }
  const password = role === 'owner' ? undefined : passwords[role];
  // The verifier has no character that would have to be quoted; a parameter is not possible here.
  if (password !== undefined) await trx.raw(`ALTER ROLE ?? PASSWORD '${scramVerifier(password)}'`, [name]);
}

/** Only the migrator can act as the owner, and the runtime roles are members of no other role. */
async function ensureMemberships(trx: Transaction, prefix: string): Promise<void> {
  const owner = roleNameOf('owner', prefix);
  const { rows } = await trx.raw<{ rows: { member: string; grantor: string; role: string; settable: boolean }[] }>(
    `SELECT m.rolname AS member, g.rolname AS grantor, r.rolname AS role, a.set_option AS settable
     FROM pg_auth_members a JOIN pg_roles m ON m.oid = a.member JOIN pg_roles r ON r.oid = a.roleid
       JOIN pg_roles g ON g.oid = a.grantor
     WHERE m.rolname = ANY (CAST(? AS text[]))`,
    [['owner', 'migrator', ...runtimeRoleNames].map((role) => roleNameOf(role as DatabaseRole, prefix))],
  );
  const migrator = roleNameOf('migrator', prefix);
  const matches = ({ member, role }: { member: string; role: string }) => member === migrator && role === owner;
  for (const row of rows.filter((row) => !matches(row))) {
    await trx.raw('REVOKE ?? FROM ?? GRANTED BY ??', [row.role, row.member, row.grantor]);
  }
  if (!rows.some((row) => matches(row) && row.settable)) {
    await trx.raw('GRANT ?? TO ?? WITH INHERIT TRUE, SET TRUE', [owner, migrator]);
  }
  const { rows: self } = await trx.raw<{ rows: { may: boolean; name: string }[] }>(
    "SELECT pg_has_role(current_user, ?, 'SET') AS may, current_user AS name",
    [owner],
  );
  // A user who created the owner without being a superuser may grant it, also to itself.
  if (self[0]?.may === false) await trx.raw('GRANT ?? TO ?? WITH SET TRUE', [owner, self[0].name]);
}

const triesAtMost = 20;

/** Roles belong to all databases of a PostgreSQL cluster, and locks to one database: another migration may be first. */
async function retryWhenOvertaken(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === triesAtMost || !isOvertaken(error)) throw error;
    }
  }
}

function isOvertaken(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === '23505' || error.code === '42710' || /tuple concurrently/u.test(error.message);
}

function explain(error: unknown): never {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '42501') throw error;
  throw new CodedError('configuration_invalid', {
    detail:
      'the user of DATABASE_URL may not create the roles of the database or change them: run `waybill migrate` once as a superuser, ' +
      'or as a user with CREATEROLE who owns the database; or with --without-roles, so that the user of DATABASE_URL owns everything',
    cause: error,
  });
}
