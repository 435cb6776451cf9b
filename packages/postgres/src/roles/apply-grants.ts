import type { Database, Transaction } from '../database.ts';
import { roleNameOf, type RuntimeRole, runtimeRoleNames } from './database-roles.ts';
import { type ObjectGrants, type Privilege, tableGrants } from './table-grants.ts';

/** Grants by schema and object. */
export type GrantTable = Readonly<Record<string, Readonly<Record<string, ObjectGrants>>>>;

/** One privilege of one role. */
interface Grant {
  readonly schema: string;
  readonly object: string;
  readonly role: RuntimeRole;
  readonly privileges: readonly Privilege[];
}

/**
 * Grants every runtime role exactly the privileges of the table in the existing schemas, and revokes all others. In
 * one transaction: connected users have the old privileges until it commits, and the new ones afterwards.
 */
export async function applyGrants(db: Database, prefix: string, table: GrantTable = tableGrants): Promise<void> {
  const roles = runtimeRoleNames.map((role) => roleNameOf(role, prefix));
  await db.transaction(async (trx) => {
    await trx.raw("SELECT pg_advisory_xact_lock(hashtextextended('waybill roles', 0))");
    await trx.raw('SET LOCAL ROLE ??', [roleNameOf('owner', prefix)]);
    const there = await existingObjects(trx, Object.keys(table));
    for (const schema of new Set(there.map(({ schema }) => schema))) await revokeAll(trx, schema, roles);
    const isThere = ({ schema, object }: Grant) =>
      there.some((found) => found.schema === schema && found.object === object);
    for (const grant of grantsOf(table).filter(isThere)) await give(trx, grant, prefix);
  });
}

function grantsOf(table: GrantTable): Grant[] {
  return Object.entries(table).flatMap(([schema, objects]) => {
    const grants = Object.entries(objects).flatMap(([object, byRole]) =>
      runtimeRoleNames.flatMap((role) => {
        const privileges = byRole[role];
        return privileges === undefined ? [] : [{ schema, object, role, privileges }];
      }),
    );
    const readers = new Set(grants.map(({ role }) => role));
    const migrations = [...readers].map((role) => ({
      schema,
      object: 'migrations',
      role,
      privileges: ['SELECT'] as const,
    }));
    return [...migrations, ...grants];
  });
}

async function give(trx: Transaction, { schema, object, role, privileges }: Grant, prefix: string): Promise<void> {
  const name = roleNameOf(role, prefix);
  await trx.raw('GRANT USAGE ON SCHEMA ?? TO ??', [schema, name]);
  await trx.raw(`GRANT ${privileges.join(', ')} ON ${kindOf(privileges)} ??.?? TO ??`, [schema, object, name]);
}

function kindOf(privileges: readonly Privilege[]): 'TABLE' | 'SEQUENCE' | 'FUNCTION' {
  if (privileges.includes('EXECUTE')) return 'FUNCTION';
  return privileges.includes('USAGE') ? 'SEQUENCE' : 'TABLE';
}

async function revokeAll(trx: Transaction, schema: string, roles: readonly string[]): Promise<void> {
  const names = roles.map(() => '??').join(', ');
  for (const what of ['ALL TABLES IN SCHEMA', 'ALL SEQUENCES IN SCHEMA', 'ALL ROUTINES IN SCHEMA', 'SCHEMA']) {
    await trx.raw(`REVOKE ALL ON ${what} ?? FROM ${names}`, [schema, ...roles]);
  }
}

async function existingObjects(trx: Transaction, schemas: readonly string[]) {
  const { rows } = await trx.raw<{ rows: { schema: string; object: string }[] }>(
    `SELECT n.nspname AS schema, c.relname AS object FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = ANY (CAST(:schemas AS text[])) AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
     UNION ALL
     SELECT n.nspname, p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
     WHERE n.nspname = ANY (CAST(:schemas AS text[])) AND p.prosecdef`,
    { schemas: [...schemas] },
  );
  return rows;
}
