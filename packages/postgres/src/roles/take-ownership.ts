import type { Database, Transaction } from '../database.ts';
import { roleNameOf } from './database-roles.ts';

/**
 * Transfers the schemas of an existing database, with their content, to the owner; what the owner already has is
 * not touched. Revokes what PostgreSQL grants to PUBLIC: temporary tables, and tables in `public`.
 */
export async function takeOwnership(db: Database, schemas: readonly string[], prefix: string): Promise<void> {
  const owner = roleNameOf('owner', prefix);
  await db.transaction(async (trx) => {
    // Two that grant at once would fail: both update the row of the database.
    await trx.raw("SELECT pg_advisory_xact_lock(hashtextextended('waybill roles', 0))");
    await openDatabase(trx, owner);
    for (const statement of await statementsFor(trx, schemas, owner)) await trx.raw(statement);
  });
}

/** Only the owner of the database or a superuser can do this; for a migrator it is done already. */
async function openDatabase(trx: Transaction, owner: string): Promise<void> {
  const { rows } = await trx.raw<{ rows: { name: string; may: boolean; publicly: boolean }[] }>(
    `SELECT datname AS name, pg_has_role(current_user, datdba, 'USAGE') AS may,
       EXISTS (SELECT FROM pg_namespace WHERE nspname = 'public') AS publicly
     FROM pg_database WHERE datname = current_database()`,
  );
  const [database] = rows;
  if (!database?.may) return;
  await trx.raw('GRANT CREATE ON DATABASE ?? TO ??', [database.name, owner]);
  await trx.raw('REVOKE TEMPORARY ON DATABASE ?? FROM PUBLIC', [database.name]);
  if (database.publicly) await trx.raw('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
}

/**
 * Schemas first: the new owner of a table needs the privilege to create in its schema. Sequences of columns follow
 * their table.
 */
async function statementsFor(trx: Transaction, schemas: readonly string[], owner: string): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { statement: string }[] }>(
    `WITH ours AS (SELECT oid, nspname, nspowner FROM pg_namespace WHERE nspname = ANY (CAST(:schemas AS text[]))),
       owner AS (SELECT oid, rolname FROM pg_roles WHERE rolname = :owner)
     SELECT format('ALTER SCHEMA %I OWNER TO %I', nspname, (SELECT rolname FROM owner)) AS statement, 1 AS step
       FROM ours WHERE nspowner <> (SELECT oid FROM owner)
     UNION ALL
     SELECT format('ALTER %s %s OWNER TO %I',
         CASE c.relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'TABLE' END,
         c.oid::regclass, (SELECT rolname FROM owner)), 2
       FROM pg_class c JOIN ours ON ours.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f') AND c.relowner <> (SELECT oid FROM owner)
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND c.relkind = 'S' AND d.deptype IN ('a', 'i')
          AND d.refclassid = 'pg_class'::regclass)
     UNION ALL
     SELECT format('ALTER ROUTINE %s OWNER TO %I', p.oid::regprocedure, (SELECT rolname FROM owner)), 3
       FROM pg_proc p JOIN ours ON ours.oid = p.pronamespace WHERE p.proowner <> (SELECT oid FROM owner)
     UNION ALL
     SELECT format('ALTER TYPE %s OWNER TO %I', t.oid::regtype, (SELECT rolname FROM owner)), 4
       FROM pg_type t JOIN ours ON ours.oid = t.typnamespace
      WHERE t.typowner <> (SELECT oid FROM owner) AND t.typelem = 0
        AND (t.typtype IN ('e', 'd', 'r') OR (t.typtype = 'c'
          AND EXISTS (SELECT FROM pg_class c WHERE c.oid = t.typrelid AND c.relkind = 'c')))
     ORDER BY step`,
    { schemas: [...schemas], owner },
  );
  return rows.map(({ statement }) => statement);
}
