/**
 * An event that withdraws access in the middle of a transfer: SQL that does it and undoes it, and the client's
 * response.
 */
export interface Withdrawal {
  readonly change: string;
  readonly undo: string;
  /** Status and `errorType`. */
  readonly refusal: readonly [401 | 403, 'authentication' | 'configuration' | 'authorization'];
  /** The reason in the audit log. */
  readonly reason: string;
}

const everything = '["list", "download", "upload", "delete", "rename", "createFolder"]';
const ofAcme = `WHERE name = 'acme'`;
const methods = (authentication: string) =>
  `UPDATE directory.partner_users SET definition = definition || '{"authentication": "${authentication}"}' ${ofAcme}`;
const contract = (isEnabled: boolean) =>
  `UPDATE directory.connection_contracts SET enabled = ${isEnabled} WHERE name = 'acme-http'`;
const grants = (permissions: string) =>
  `UPDATE directory.acl_rules SET grants = '[{"user": "acme", "permissions": ${permissions}}]' WHERE path = '/inbox'`;
/** Puts `acme` into a group with these settings, whose JSON is an expression. */
const join = (settings: string) =>
  `INSERT INTO directory.user_groups (actor_id, name, definition)
   SELECT actor_id, 'clerks', CAST('{"name": "clerks", "enabled": true}' AS jsonb) || CAST(${settings} AS jsonb) FROM directory.partner_users ${ofAcme};
   UPDATE directory.partner_users SET groups = '{clerks}' ${ofAcme}`;
const leave = `DELETE FROM directory.user_groups; UPDATE directory.partner_users SET groups = '{}' ${ofAcme}`;

/** Of user `acme` and folder `/inbox`. */
export const withdrawals: Readonly<Record<string, Withdrawal>> = {
  'is frozen': {
    change: `INSERT INTO directory.frozen_users VALUES ('acme', now(), 'admin')`,
    undo: 'DELETE FROM directory.frozen_users',
    refusal: [401, 'authentication'],
    reason: 'the user was frozen or disabled',
  },
  'is frozen and thawed at once': {
    change: `INSERT INTO directory.frozen_users VALUES ('acme', now(), 'admin'); DELETE FROM directory.frozen_users`,
    undo: 'SELECT 1',
    refusal: [401, 'authentication'],
    reason: 'the user was frozen or disabled',
  },
  'is disabled': {
    change: `UPDATE directory.partner_users SET enabled = false ${ofAcme}`,
    undo: `UPDATE directory.partner_users SET enabled = true ${ofAcme}`,
    refusal: [401, 'authentication'],
    reason: 'the user was frozen or disabled',
  },
  'is given another password': {
    change: `UPDATE directory.partner_users SET password_hash = password_hash || '-other' ${ofAcme}`,
    undo: `UPDATE directory.partner_users SET password_hash = regexp_replace(password_hash, '-other$', '') ${ofAcme}`,
    refusal: [401, 'authentication'],
    reason: 'the user has another password',
  },
  'has an account that has expired': {
    change: `UPDATE directory.partner_users SET definition = definition || '{"expires": "2001-01-01T00:00:00.000Z"}' ${ofAcme}`,
    undo: `UPDATE directory.partner_users SET definition = definition - 'expires' ${ofAcme}`,
    refusal: [401, 'authentication'],
    reason: 'the account has expired',
  },
  'may log in from other networks only': {
    change: `UPDATE directory.partner_users SET definition = definition || '{"networks": ["10.0.0.0/8"]}' ${ofAcme}`,
    undo: `UPDATE directory.partner_users SET definition = definition - 'networks' ${ofAcme}`,
    refusal: [401, 'authentication'],
    reason: 'the user may no longer log in from this address',
  },
  'joins a group of other networks': {
    change: join(`'{"networks": ["10.0.0.0/8"]}'`),
    undo: leave,
    refusal: [401, 'authentication'],
    reason: 'the user may no longer log in from this address',
  },
  'may log in with a key alone': {
    change: methods('key'),
    undo: methods('either'),
    refusal: [401, 'authentication'],
    reason: 'the user may no longer log in this way',
  },
  'loses the Connection Contract': {
    change: contract(false),
    undo: contract(true),
    refusal: [401, 'configuration'],
    reason: 'Connection contract not configured',
  },
  'loses the permission': {
    change: grants('["list"]'),
    undo: grants(everything),
    refusal: [403, 'authorization'],
    reason: 'No write permission',
  },
};

/** One of them. @throws Error if there is none of this name */
export function withdrawalOf(cause: string): Withdrawal {
  const withdrawal = withdrawals[cause];
  if (!withdrawal) throw new Error(`There is no withdrawal '${cause}'`);
  return withdrawal;
}
