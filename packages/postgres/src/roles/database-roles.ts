/** The roles that log in to do the platform's work. None of them owns anything. */
export const runtimeRoles = {
  sftp_gateway: 'the service `sftp-gateway`',
  http_files: 'the service `http-files`',
  job_manager: 'the service `job-manager`',
  audit: 'the service `audit`',
  operator: '`waybill plan`, `apply`, `keys` and `files verify`',
} as const;

/** A role that works with the data. */
export type RuntimeRole = keyof typeof runtimeRoles;

/** All roles of an installation, by what is behind them. */
export const databaseRoles = {
  owner: 'owns every schema, table and function; cannot log in',
  migrator: '`waybill migrate`: acts as the owner, and owns nothing itself',
  ...runtimeRoles,
} as const;

/** Any role of an installation. */
export type DatabaseRole = keyof typeof databaseRoles;

/** What the names of the roles begin with, unless an installation says otherwise. */
export const defaultRolePrefix = 'waybill';

/** The name that a role has in PostgreSQL: `waybill_audit`. */
export function roleNameOf(role: DatabaseRole, prefix: string = defaultRolePrefix): string {
  return `${prefix}_${role}`;
}

/** The roles that log in, in the order of the table. */
export const loginRoles: readonly Exclude<DatabaseRole, 'owner'>[] = [
  'migrator',
  'sftp_gateway',
  'http_files',
  'job_manager',
  'audit',
  'operator',
];

/** The roles that work with the data, in the order of the table. */
export const runtimeRoleNames: readonly RuntimeRole[] = [
  'sftp_gateway',
  'http_files',
  'job_manager',
  'audit',
  'operator',
];
