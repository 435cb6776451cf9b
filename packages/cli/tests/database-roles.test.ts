import { runtimeRoleNames } from '@waybill/postgres/roles/database-roles';
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
  await database.query("INSERT INTO audit.head VALUES (true, 0, gen_random_uuid(), '', 0, '', 0, '', '')");
});
afterAll(() => database.drop());

const denied = '42501';

/** What no role of a service may do, whichever it is. */
const forbiddenToAll: Readonly<Record<string, string>> = {
  'runs a program of the server': "COPY (SELECT 1) TO PROGRAM 'true'",
  'reads a file of the server': "CREATE TEMP TABLE t (line text); COPY t FROM '/etc/hostname'",
  'reads a file of the server by a function': "SELECT pg_read_file('PG_VERSION')",
  'makes a table in its schemas': 'CREATE TABLE outbox.mine (id int)',
  'makes a table in public': 'CREATE TABLE public.mine (id int)',
  'makes a temporary table': 'CREATE TEMP TABLE mine (id int)',
  'makes a schema': 'CREATE SCHEMA mine',
  'makes a function': 'CREATE FUNCTION outbox.mine() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
  'makes a role': 'CREATE ROLE waybill_mine',
  'gives itself more': 'ALTER ROLE CURRENT_USER SUPERUSER',
  'becomes the owner': 'SET ROLE waybill_owner',
  'becomes the migrator': 'SET ROLE waybill_migrator',
  'becomes a superuser': 'SET ROLE waybill',
  'becomes another service': 'SET ROLE waybill_audit; SET ROLE waybill_job_manager',
  'looks away from triggers': 'SET session_replication_role = replica',
  'disables a trigger of the audit log': 'ALTER TABLE audit.records DISABLE TRIGGER ALL',
  'drops a trigger of the audit log': 'DROP TRIGGER append_only ON audit.records',
  'alters a record': "UPDATE audit.records SET audit_message = ''",
  'deletes records': 'DELETE FROM audit.records',
  'empties the audit log': 'TRUNCATE audit.records',
  'drops the audit log': 'DROP TABLE audit.records',
  'deletes a digest': 'DELETE FROM audit.digests',
  'deletes the head': 'DELETE FROM audit.head',
  'writes a migration down': "INSERT INTO outbox.migrations (name) VALUES ('x')",
  'replaces what a trigger does': `CREATE OR REPLACE FUNCTION audit.refuse_change() RETURNS trigger
    LANGUAGE plpgsql AS 'BEGIN RETURN NULL;END'`,
  'reads what PostgreSQL stores of passwords': 'SELECT rolpassword FROM pg_authid',
  'empties the outbox': 'TRUNCATE outbox.events',
};

describe.each(runtimeRoleNames)('the role %s', (role) => {
  it.each(Object.keys(forbiddenToAll))('never %s', async (what) => {
    const statements = (forbiddenToAll[what] ?? '').split('; ');
    expect(await attempt(role, ...statements)).toMatch(/^(42501|0LP01)$/u);
  });
});

/** What one service may do and another not. */
const forbidden: readonly [role: TestRole, what: string, statement: string][] = [
  ['sftp_gateway', 'reads the hashes of managers', 'SELECT password_hash FROM directory.manager_users'],
  ['http_files', 'reads the hashes of managers', 'SELECT password_hash FROM directory.manager_users'],
  ['sftp_gateway', 'reads what was configured', 'SELECT configured_password_hash FROM directory.partner_users'],
  ['http_files', 'reads every column of users', 'SELECT * FROM directory.partner_users'],
  ['sftp_gateway', 'sets a password', "UPDATE directory.partner_users SET password_hash = ''"],
  ['sftp_gateway', 'enables a user', 'UPDATE directory.partner_users SET enabled = true'],
  ['http_files', 'thaws a user', 'DELETE FROM directory.frozen_users'],
  ['http_files', 'gives itself a file system', "INSERT INTO directory.connection_contracts (name) VALUES ('x')"],
  ['sftp_gateway', 'raises a limit', 'UPDATE filebox.vfs_limits SET max_bytes = NULL'],
  ['job_manager', 'reads the hashes of partners', 'SELECT password_hash FROM directory.partner_users'],
  ['job_manager', 'makes an administrator', "UPDATE directory.manager_users SET roles = '{Administrators}'"],
  ['job_manager', 'reads the audit log', 'SELECT count(*) FROM audit.records'],
  ['job_manager', 'rewrites the history of a job', "UPDATE jobs.history SET message = ''"],
  ['sftp_gateway', 'deletes an event', 'DELETE FROM outbox.events'],
  ['sftp_gateway', 'reads an event', 'SELECT payload FROM outbox.events'],
  ['http_files', 'stops listening to anything', 'DELETE FROM outbox.listened'],
  ['audit', 'alters a voucher of a key', "UPDATE audit.key_vouchers SET public_key = ''"],
  ['http_files', 'alters an event', "UPDATE outbox.events SET payload = '{}'"],
  ['operator', 'reads events', 'SELECT payload FROM outbox.events'],
  ['audit', 'makes an event up', "INSERT INTO outbox.events (id, topic, payload) VALUES (gen_random_uuid(), '', '{}')"],
  ['audit', 'reads files', 'SELECT name FROM filebox.entries'],
  ['audit', 'reads users', 'SELECT name FROM directory.partner_users'],
  ['sftp_gateway', 'reads jobs', 'SELECT id FROM jobs.jobs'],
  ['http_files', 'reads tokens', 'SELECT secret_hash FROM access.refresh_tokens'],
  ['operator', 'deletes files', 'DELETE FROM filebox.entries'],
];

describe('a service', () => {
  it.each(forbidden)('%s never %s', async (role, _what, statement) => {
    expect(await attempt(role, statement)).toBe(denied);
  });

  it('does what its work takes: the reverse of the same statements', async () => {
    expect(await attempt('job_manager', 'SELECT password_hash FROM directory.manager_users')).toBe('done');
    expect(await attempt('sftp_gateway', 'SELECT password_hash FROM directory.partner_users')).toBe('done');
    expect(await attempt('audit', 'SELECT count(*) FROM audit.records', 'UPDATE audit.head SET sequence = 1')).toBe(
      'done',
    );
    expect(await attempt('operator', 'SELECT configured_password_hash FROM directory.partner_users')).toBe('done');
  });

  it('moves the head of the audit log forward alone', async () => {
    expect(await attempt('audit', 'UPDATE audit.head SET sequence = 5', 'UPDATE audit.head SET sequence = 4')).toBe(
      denied,
    );
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

  it('are in no other role, but for the migrator, who can act as the owner', async () => {
    const rows = await database.query(
      `SELECT m.rolname AS member, r.rolname AS role FROM pg_auth_members a
       JOIN pg_roles m ON m.oid = a.member JOIN pg_roles r ON r.oid = a.roleid WHERE m.rolname LIKE 'waybill\\_%'`,
    );
    expect(rows).toEqual([{ member: 'waybill_migrator', role: 'waybill_owner' }]);
  });
});
