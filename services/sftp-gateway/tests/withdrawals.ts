import ssh2 from 'ssh2';

/** A key of `acme`. */
export const keys = ssh2.utils.generateKeyPairSync('ed25519');

/** An event that withdraws the access of a user with an open session: SQL that does it and undoes it. */
export interface Withdrawal {
  /** How the session logged in. */
  readonly login: 'password' | 'key';
  readonly change: string;
  readonly undo: string;
  /** The reason in the audit log. */
  readonly reason: string;
}

const frozenOrDisabled = 'the user was frozen or disabled';
/** All permissions. */
export const everything = '["list", "download", "upload", "delete", "rename", "createFolder"]';
/** The row of the user. */
export const ofAcme = `WHERE name = 'acme'`;
const define = (expression: string) => `UPDATE directory.partner_users SET definition = ${expression} ${ofAcme}`;
const methods = (authentication: string) => define(`definition || '{"authentication": "${authentication}"}'`);
const contract = (isEnabled: boolean) =>
  `UPDATE directory.connection_contracts SET enabled = ${isEnabled} WHERE name = 'acme-sftp'`;
/** Gives `acme` only these permissions on `/inbox`. */
export const grants = (permissions: string) =>
  `UPDATE directory.acl_rules SET grants = '[{"user": "acme", "permissions": ${permissions}}]' WHERE path = '/inbox'`;
const soon = `to_jsonb(to_char(now() AT TIME ZONE 'UTC' + interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;
/** Puts `acme` into a group with these settings, whose JSON is an expression. */
const join = (settings: string) =>
  `INSERT INTO directory.user_groups (actor_id, name, definition)
   SELECT actor_id, 'clerks', CAST('{"name": "clerks", "enabled": true}' AS jsonb) || CAST(${settings} AS jsonb) FROM directory.partner_users ${ofAcme};
   UPDATE directory.partner_users SET groups = '{clerks}' ${ofAcme}`;
const leave = `DELETE FROM directory.user_groups; UPDATE directory.partner_users SET groups = '{}' ${ofAcme}`;
const named = (user: string, group: string) =>
  `UPDATE directory.connection_clauses SET user_name = ${user}, group_name = ${group}
    WHERE 'acme' IN (user_name, group_name) OR group_name = 'clerks'`;

/** The events that end a session of `acme`. */
export const withdrawals: Readonly<Record<string, Withdrawal>> = {
  'is frozen': {
    login: 'key',
    change: `INSERT INTO directory.frozen_users VALUES ('acme', now(), 'admin')`,
    undo: 'DELETE FROM directory.frozen_users',
    reason: frozenOrDisabled,
  },
  'is frozen and thawed at once': {
    login: 'password',
    change: `INSERT INTO directory.frozen_users VALUES ('acme', now(), 'admin'); DELETE FROM directory.frozen_users`,
    undo: 'SELECT 1',
    reason: frozenOrDisabled,
  },
  'is disabled': {
    login: 'password',
    change: `UPDATE directory.partner_users SET enabled = false ${ofAcme}`,
    undo: `UPDATE directory.partner_users SET enabled = true ${ofAcme}`,
    reason: frozenOrDisabled,
  },
  'is given another password': {
    login: 'password',
    change: `UPDATE directory.partner_users SET password_hash = password_hash || '-other' ${ofAcme}`,
    undo: `UPDATE directory.partner_users SET password_hash = regexp_replace(password_hash, '-other$', '') ${ofAcme}`,
    reason: 'the user has another password',
  },
  'loses the key of the login': {
    login: 'key',
    change: define(`jsonb_set(definition, '{publicKeys,0,key}', '"ssh-ed25519 AAAA"')`),
    undo: define(`jsonb_set(definition, '{publicKeys,0,key}', '"${keys.public.split(' ').slice(0, 2).join(' ')}"')`),
    reason: 'the key of the login was removed',
  },
  'has a key that expires': {
    login: 'key',
    change: define(`jsonb_set(definition, '{publicKeys,0,expires}', ${soon})`),
    undo: define(`definition #- '{publicKeys,0,expires}'`),
    reason: 'the key of the login has expired',
  },
  'has an account that expires': {
    login: 'password',
    change: define(`jsonb_set(definition, '{expires}', ${soon})`),
    undo: define(`definition - 'expires'`),
    reason: 'the account has expired',
  },
  'may log in from other networks only': {
    login: 'key',
    change: define(`definition || '{"networks": ["10.0.0.0/8", "::2/128"]}'`),
    undo: define(`definition - 'networks'`),
    reason: 'the user may no longer log in from this address',
  },
  'joins a group of other networks': {
    login: 'password',
    change: join(`'{"networks": ["10.0.0.0/8"]}'`),
    undo: leave,
    reason: 'the user may no longer log in from this address',
  },
  'has access by a group that expires': {
    login: 'password',
    change: `${join(`jsonb_build_object('expires', ${soon})`)}; ${named('NULL', `'clerks'`)}`,
    undo: `${named(`'acme'`, 'NULL')}; ${leave}`,
    reason: 'Connection contract not configured',
  },
  'may log in with a key alone': {
    login: 'password',
    change: methods('key'),
    undo: methods('either'),
    reason: 'the user may no longer log in this way',
  },
  'may log in with a password alone': {
    login: 'key',
    change: methods('password'),
    undo: methods('either'),
    reason: 'the user may no longer log in this way',
  },
  'has to give both': {
    login: 'key',
    change: methods('both'),
    undo: methods('either'),
    reason: 'the user may no longer log in this way',
  },
  'loses the Connection Contract': {
    login: 'password',
    change: contract(false),
    undo: contract(true),
    reason: 'Connection contract not configured',
  },
};

/** One of them. @throws Error if there is none of this name */
export function withdrawalOf(cause: string): Withdrawal {
  const withdrawal = withdrawals[cause];
  if (!withdrawal) throw new Error(`There is no withdrawal '${cause}'`);
  return withdrawal;
}
