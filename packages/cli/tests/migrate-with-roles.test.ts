import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { migrate } from '@waybill/postgres/migrate';
import { roleNameOf, runtimeRoleNames } from '@waybill/postgres/roles/database-roles';
import { migrateWithRoles } from '@waybill/postgres/roles/migrate-with-roles';
import { tableGrants } from '@waybill/postgres/roles/table-grants';
import { takeOwnership } from '@waybill/postgres/roles/take-ownership';
import { createTestDatabase, type TestDatabase } from '@waybill/test-kit/create-test-database';
import { testRoles, urlAs, type TestRole } from '@waybill/test-kit/test-roles';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allSchemas } from '../src/database/all-schemas.ts';
import { attemptAs, migrateAll } from './role-attempts.ts';

let database: TestDatabase;
const attempt = (role: TestRole, ...statements: string[]) => attemptAs(database.url, role, statements);

beforeAll(async () => {
  database = await createTestDatabase();
  await migrateAll(database.url);
});
afterAll(() => database.drop());

const denied = '42501';

describe('the table of grants', () => {
  it('names every table, sequence and privileged function that there is, and none that is not', async () => {
    const rows = await database.query(
      `SELECT n.nspname AS schema, c.relname AS name, c.relkind AS kind FROM pg_class c
       JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = ANY ($1) AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f') AND c.relname <> 'migrations'
         AND NOT c.relispartition
       UNION ALL
       SELECT n.nspname, p.proname, 'function' FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
       WHERE n.nspname = ANY ($1) AND p.prosecdef AND p.prorettype <> 'trigger'::regtype`,
      [allSchemas.map(({ schema }) => schema)],
    );
    const mentioned = Object.entries(tableGrants).flatMap(([schema, objects]) =>
      Object.keys(objects).map((name) => `${schema}.${name}`),
    );
    const nameOf = ({ schema, name }: Record<string, unknown>) => `${String(schema)}.${String(name)}`;
    // The sequence of a column gets a grant only if it is named.
    const tables = rows.filter(({ kind }) => kind !== 'S').map(nameOf);
    expect(
      tables.filter((name) => !mentioned.includes(name)),
      'tables without a line in table-grants.ts',
    ).toEqual([]);
    expect(
      mentioned.filter((name) => !rows.map(nameOf).includes(name)),
      'lines without a table',
    ).toEqual([]);
  });

  it('is all that the roles have: nothing is granted to everybody', async () => {
    const rows = await database.query(
      `SELECT c.oid::regclass::text AS object FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace,
         aclexplode(c.relacl) AS a
       WHERE n.nspname = ANY ($1) AND a.grantee = 0
       UNION ALL
       SELECT p.oid::regprocedure::text FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace,
         aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) AS a
       WHERE n.nspname = ANY ($1) AND p.prosecdef AND p.prorettype <> 'trigger'::regtype AND a.grantee = 0`,
      [allSchemas.map(({ schema }) => schema)],
    );
    expect(rows).toEqual([]);
  });

  it('restores the privileges after some were granted or revoked', async () => {
    await database.query('GRANT SELECT ON directory.manager_users TO waybill_sftp_gateway');
    await database.query('GRANT UPDATE (password_hash) ON directory.partner_users TO waybill_http_files');
    await database.query('REVOKE SELECT ON directory.clusters FROM waybill_sftp_gateway');
    expect(await migrateAll(database.url)).toEqual([]);
    expect(await attempt('sftp_gateway', 'SELECT password_hash FROM directory.manager_users')).toBe(denied);
    expect(await attempt('http_files', "UPDATE directory.partner_users SET password_hash = ''")).toBe(denied);
    expect(await attempt('sftp_gateway', 'SELECT name FROM directory.clusters')).toBe('done');
  });
});

describe('migrating', () => {
  const owners = `SELECT DISTINCT pg_get_userbyid(owner) AS owner FROM (
      SELECT nspowner AS owner FROM pg_namespace WHERE nspname = ANY ($1)
      UNION ALL SELECT relowner FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = ANY ($1)
      UNION ALL SELECT proowner FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace WHERE nspname = ANY ($1)
      UNION ALL SELECT typowner FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace WHERE nspname = ANY ($1)) AS o`;
  const names = allSchemas.map(({ schema }) => schema);

  it('gives a database of an earlier release, with all that is in it, to the owner', async () => {
    await using old = await createTestDatabase();
    const db = connectPostgres({ url: old.url, applicationName: 'roles test', poolSize: 2 });
    for (const schema of allSchemas) await migrate(db, schema);
    await db.destroy();
    await old.query("INSERT INTO directory.actors (name, definition) VALUES ('acme', '{}')");
    expect(await old.query(owners, [names])).toEqual([{ owner: 'waybill' }]);
    expect(await migrateAll(old.url)).toEqual([]);
    expect(await old.query(owners, [names])).toEqual([{ owner: 'waybill_owner' }]);
    const service = connectPostgres({ url: urlAs('http_files', old.url), applicationName: 'roles test', poolSize: 1 });
    expect(await service('directory.actors').pluck('name')).toEqual(['acme']);
    await service.destroy();
  });

  it('can be run by the migrator once the roles exist', async () => {
    await using fresh = await createTestDatabase();
    await migrateAll(fresh.url);
    await fresh.query("DELETE FROM outbox.migrations WHERE name = '0003_steady_plans'");
    const url = urlAs('migrator', fresh.url);
    const db = connectPostgres({ url, applicationName: 'roles test', poolSize: 2 });
    const without = { prefix: testRoles.prefix, passwords: {} };
    expect(await migrateWithRoles(db, allSchemas, without)).toEqual(['outbox.0003_steady_plans']);
    await db.destroy();
    expect(await fresh.query(owners, [names])).toEqual([{ owner: 'waybill_owner' }]);
  });

  it('can be done at once by many, in one database and in several of one PostgreSQL', async () => {
    const databases = await Promise.all([createTestDatabase(), createTestDatabase()]);
    await Promise.all(databases.flatMap(({ url }) => [migrateAll(url), migrateAll(url)]));
    for (const each of databases) {
      expect(await each.query(owners, [names])).toEqual([{ owner: 'waybill_owner' }]);
      await each.drop();
    }
  });

  it('waits for another that is about to commit its grants', async () => {
    await using shared = await createTestDatabase();
    const other = connectPostgres({ url: shared.url, applicationName: 'roles test', poolSize: 1 });
    const trx = await other.transaction();
    await trx.raw("SELECT pg_advisory_xact_lock(hashtextextended('waybill roles', 0))");
    await trx.raw('GRANT CREATE ON DATABASE ?? TO waybill_owner', [shared.name]);
    const db = connectPostgres({ url: shared.url, applicationName: 'roles test', poolSize: 1 });
    const taken = takeOwnership(db, [], 'waybill').then(
      () => 'taken',
      (error: unknown) => String(error),
    );
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await waitFor(async () => (await shared.query(waiting)).length > 0, { what: 'the migration to wait' });
    await trx.commit();
    expect(await taken).toBe('taken');
    await Promise.all([other.destroy(), db.destroy()]);
  });

  it('works for a user with CREATEROLE who owns the database, without a superuser', async () => {
    const prefix = 'managed_platform';
    await using managed = await createTestDatabase();
    await managed.query("CREATE ROLE managed_admin LOGIN CREATEROLE PASSWORD 'x'");
    try {
      await managed.query(`ALTER DATABASE ${managed.name} OWNER TO managed_admin`);
      const url = new URL(managed.url);
      [url.username, url.password] = ['managed_admin', 'x'];
      const db = connectPostgres({ url: url.toString(), applicationName: 'roles test', poolSize: 2 });
      // The first as a release without roles did it.
      for (const schema of allSchemas) await migrate(db, schema);
      expect(await migrateWithRoles(db, allSchemas, { prefix, passwords: {} })).toEqual([]);
      expect(await migrateWithRoles(db, allSchemas, { prefix, passwords: { audit: 'y' } })).toEqual([]);
      await db.destroy();
      expect(await managed.query(owners, [names])).toEqual([{ owner: 'managed_platform_owner' }]);
    } finally {
      const roles = ['owner', 'migrator', ...runtimeRoleNames] as const;
      for (const role of roles) await managed.query(`DROP OWNED BY ${roleNameOf(role, prefix)} CASCADE`);
      for (const role of roles) await managed.query(`DROP ROLE ${roleNameOf(role, prefix)}`);
      await managed.query(`ALTER DATABASE ${managed.name} OWNER TO waybill`);
      await managed.query('DROP OWNED BY managed_admin CASCADE');
      await managed.query('DROP ROLE managed_admin');
    }
  });

  it('says in one sentence that a user may not create the roles', async () => {
    await using managed = await createTestDatabase();
    const url = urlAs('audit', managed.url);
    const db = connectPostgres({ url, applicationName: 'roles test', poolSize: 1 });
    await expect(migrateWithRoles(db, allSchemas, { prefix: 'absent', passwords: {} })).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: expect.stringContaining('the user of DATABASE_URL may not create the roles of the database'),
    });
    await db.destroy();
  });
});
