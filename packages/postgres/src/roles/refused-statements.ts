import type { RuntimeRole } from './database-roles.ts';

/** A refused action of a role. A test logs in as the role and tries it; `docs/database-roles.md` lists it. */
export interface RefusedStatement {
  /** Completes "the role never …". */
  readonly what: string;
  /** Statements of one session, of which the last one that runs is refused. */
  readonly statements: readonly string[];
  /** The SQLSTATE of the refusal. */
  readonly sqlState: string;
}

const denied = (what: string, ...statements: string[]): RefusedStatement => ({ what, statements, sqlState: '42501' });

/** The actions refused to every runtime role. */
export const refusedToAll: readonly RefusedStatement[] = [
  denied('runs a program of the server', "COPY (SELECT 1) TO PROGRAM 'true'"),
  denied('reads a file of the server', "COPY outbox.events FROM '/etc/hostname'"),
  denied('reads a file of the server by a function', "SELECT pg_read_file('PG_VERSION')"),
  denied('writes a file of the server', "COPY (SELECT 1) TO '/tmp/mine'"),
  denied('makes a table in its schemas', 'CREATE TABLE outbox.mine (id int)'),
  denied('makes a table in public', 'CREATE TABLE public.mine (id int)'),
  denied('makes a temporary table', 'CREATE TEMP TABLE mine (id int)'),
  denied('makes a schema', 'CREATE SCHEMA mine'),
  denied('makes a function', 'CREATE FUNCTION outbox.mine() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$'),
  denied('makes a role', 'CREATE ROLE waybill_mine'),
  denied('makes itself a superuser', 'ALTER ROLE CURRENT_USER SUPERUSER'),
  denied('becomes the owner', 'SET ROLE waybill_owner'),
  denied('becomes the migrator', 'SET ROLE waybill_migrator'),
  denied('becomes the superuser', 'SET ROLE waybill'),
  // One of the two is the role itself.
  denied('becomes another service', 'SET ROLE waybill_audit', 'SET ROLE waybill_job_manager'),
  denied('turns triggers off for its session', 'SET session_replication_role = replica'),
  denied('disables a trigger of the audit log', 'ALTER TABLE audit.records DISABLE TRIGGER ALL'),
  denied('drops a trigger of the audit log', 'DROP TRIGGER append_only ON audit.records'),
  denied('alters a record', "UPDATE audit.records SET audit_message = ''"),
  denied('deletes records', 'DELETE FROM audit.records'),
  denied('empties the audit log', 'TRUNCATE audit.records'),
  denied('drops the audit log', 'DROP TABLE audit.records'),
  denied('deletes a digest', 'DELETE FROM audit.digests'),
  denied('alters a node of the tree', "UPDATE audit.nodes SET hash = ''"),
  denied('deletes the head', 'DELETE FROM audit.tree_head'),
  denied('records a migration', "INSERT INTO outbox.migrations (name) VALUES ('x')"),
  denied(
    'replaces what a trigger does',
    "CREATE OR REPLACE FUNCTION audit.refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL;END'",
  ),
  denied('reads what PostgreSQL stores of passwords', 'SELECT rolpassword FROM pg_authid'),
  denied('empties the outbox', 'TRUNCATE outbox.events'),
];

/** The actions refused to one role that another role may do. */
export const refusedToOne: readonly (RefusedStatement & { readonly role: RuntimeRole })[] = [
  ...deniedTo('sftp_gateway', [
    ['reads the hashes of managers', 'SELECT password_hash FROM directory.manager_users'],
    ['reads what was configured', 'SELECT configured_password_hash FROM directory.partner_users'],
    ['sets a password', "UPDATE directory.partner_users SET password_hash = ''"],
    ['enables a user', 'UPDATE directory.partner_users SET enabled = true'],
    ['raises a limit', 'UPDATE filebox.vfs_limits SET max_bytes = NULL'],
    ['deletes an event', 'DELETE FROM outbox.events'],
    ['reads an event', 'SELECT payload FROM outbox.events'],
    ['reads jobs', 'SELECT id FROM jobs.jobs'],
    ['reads secrets', 'SELECT name FROM secrets.secrets'],
    ['drops jobs by a function', "SELECT jobs.drop_range(0, now() - interval '1 year', 100)"],
    ['closes a range of jobs', "SELECT jobs.close_range(interval '1 year')"],
    ['prepares ranges of jobs', 'SELECT jobs.prepare_ranges(1)'],
  ]),
  ...deniedTo('http_files', [
    ['reads the hashes of managers', 'SELECT password_hash FROM directory.manager_users'],
    ['reads every column of users', 'SELECT * FROM directory.partner_users'],
    ['ends the freeze of a user', 'DELETE FROM directory.frozen_users'],
    ['gives itself a file system', "INSERT INTO directory.connection_contracts (name) VALUES ('x')"],
    ['removes what jobs listen to', 'DELETE FROM outbox.listened'],
    ['alters an event', "UPDATE outbox.events SET payload = '{}'"],
    ['reads secrets', 'SELECT name FROM secrets.secrets'],
    ['reads tokens', 'SELECT secret_hash FROM access.refresh_tokens'],
    ['reads second factors', 'SELECT user_name FROM access.second_factors'],
  ]),
  ...deniedTo('job_manager', [
    ['reads the hashes of partners', 'SELECT password_hash FROM directory.partner_users'],
    ['makes an administrator', "UPDATE directory.manager_users SET roles = '{Administrators}'"],
    ['reads the audit log', 'SELECT count(*) FROM audit.records'],
    ['rewrites the history of a job', "UPDATE jobs.history SET message = ''"],
    ['rewrites who submitted a job', "UPDATE jobs.jobs SET submitted_by = ''"],
    ['rewrites what a job has written', "UPDATE jobs.effects SET result = '{}'"],
    ['sets a secret', "INSERT INTO secrets.secrets (owner, name, key_id, ciphertext) VALUES ('', 'x', 'x', '')"],
    ['deletes a secret', 'DELETE FROM secrets.secrets'],
    ['drops jobs', 'DROP TABLE jobs.jobs_0'],
    ['empties jobs', 'TRUNCATE jobs.jobs'],
    ['takes jobs apart', 'ALTER TABLE jobs.jobs DETACH PARTITION jobs.jobs_0'],
    ['sets the number of the next job', "SELECT setval('jobs.job_ids', 1)"],
  ]),
  {
    role: 'job_manager',
    what: 'drops jobs that are to be kept for a day',
    statements: ['SELECT jobs.drop_range(0, now(), 100)'],
    sqlState: '22023',
  },
  ...deniedTo('audit', [
    ['alters a voucher of a key', "UPDATE audit.key_vouchers SET public_key = ''"],
    ['reads files', 'SELECT name FROM filebox.entries'],
    ['reads passwords of users', 'SELECT password_hash FROM directory.partner_users'],
    ['reads more of users than their names', 'SELECT definition FROM directory.partner_users'],
    ['reads secrets', 'SELECT name FROM secrets.secrets'],
    ['moves the head back', 'UPDATE audit.tree_head SET size = 5', 'UPDATE audit.tree_head SET size = 4'],
    ['alters the validity of a key', 'UPDATE audit.log_keys SET first_size = 0'],
  ]),
  ...deniedTo('operator', [
    ['reads events', 'SELECT payload FROM outbox.events'],
    ['deletes files', 'DELETE FROM filebox.entries'],
    ['reads a secret, encrypted as it is', 'SELECT ciphertext FROM secrets.secrets'],
    ['reads a second factor, encrypted as it is', 'SELECT ciphertext FROM access.second_factors'],
  ]),
];

function deniedTo(role: RuntimeRole, refused: readonly (readonly [what: string, ...statements: string[]])[]) {
  return refused.map(([what, ...statements]) => ({ ...denied(what, ...statements), role }));
}
