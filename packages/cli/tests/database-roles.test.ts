import { runtimeRoleNames } from '@waybill/postgres/roles/database-roles';
import { refusedToAll, refusedToOne } from '@waybill/postgres/roles/refused-statements';
import { createTestDatabase, type TestDatabase } from '@waybill/test-kit/create-test-database';
import type { TestRole } from '@waybill/test-kit/test-roles';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attemptAs, migrateAll } from './role-attempts.ts';

let database: TestDatabase;
const attempt = (role: TestRole, ...statements: string[]) => attemptAs(database.url, role, statements);

beforeAll(async () => {
  database = await createTestDatabase();
  await migrateAll(database.url);
  await database.query(
    `INSERT INTO directory.manager_users (name, password_hash, roles, enabled, definition)
     VALUES ('admin', 'hash', '{}', true, '{}')`,
  );
  await database.query("INSERT INTO audit.tree_head VALUES (true, 0, '', '', '')");
});
afterAll(() => database.drop());

describe.each(runtimeRoleNames)('the role %s', (role) => {
  it.each(refusedToAll)('never $what', async ({ statements, sqlState }) => {
    expect(await attempt(role, ...statements)).toBe(sqlState);
  });
});

describe('a service', () => {
  it.each(refusedToOne)('$role never $what', async ({ role, statements, sqlState }) => {
    expect(await attempt(role, ...statements)).toBe(sqlState);
  });

  it('may do what its work needs: the counterparts of the same statements', async () => {
    expect(await attempt('job_manager', 'SELECT password_hash FROM directory.manager_users')).toBe('done');
    expect(await attempt('sftp_gateway', 'SELECT password_hash FROM directory.partner_users')).toBe('done');
    expect(
      await attempt('audit', 'SELECT count(*) FROM audit.records', 'UPDATE audit.tree_head SET size = size + 1'),
    ).toBe('done');
    expect(await attempt('operator', 'SELECT configured_password_hash FROM directory.partner_users')).toBe('done');
  });
});

describe('the roles', () => {
  const rolesOf = (names: readonly string[]) =>
    database.query(
      `SELECT rolname, rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls AS powerful, rolcanlogin
       FROM pg_roles WHERE rolname = ANY ($1) ORDER BY rolname`,
      [names],
    );

  it('have no power beyond their grants, and the owner cannot log in', async () => {
    const names = ['owner', 'migrator', ...runtimeRoleNames].map((role) => `waybill_${role}`);
    const rows = await rolesOf(names);
    expect(rows).toEqual(
      names.toSorted().map((rolname) => ({ rolname, powerful: false, rolcanlogin: rolname !== 'waybill_owner' })),
    );
  });

  it('are members of no other role, except the migrator, which can act as the owner', async () => {
    const rows = await database.query(
      `SELECT m.rolname AS member, r.rolname AS role FROM pg_auth_members a
       JOIN pg_roles m ON m.oid = a.member JOIN pg_roles r ON r.oid = a.roleid WHERE m.rolname LIKE 'waybill\\_%'`,
    );
    expect(rows).toEqual([{ member: 'waybill_migrator', role: 'waybill_owner' }]);
  });
});
