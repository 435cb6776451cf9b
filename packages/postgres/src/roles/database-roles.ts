/** The runtime roles, with which the services log in. None of them owns anything. */
export const runtimeRoles = {
  sftp_gateway: 'the service `sftp-gateway`',
  http_files: 'the service `http-files`',
  job_manager: 'the service `job-manager`',
  audit: 'the service `audit`',
  operator: '`waybill plan`, `apply`, `keys`, `secret set`, `list` and `delete`, and `files verify`',
} as const;

/** A runtime role. */
export type RuntimeRole = keyof typeof runtimeRoles;

/** All roles of an installation, with their purpose. */
export const databaseRoles = {
  owner: 'owns every schema, table and function; cannot log in',
  migrator: '`waybill migrate`: acts as the owner, and owns nothing itself',
  ...runtimeRoles,
} as const;

/** Any role of an installation. */
export type DatabaseRole = keyof typeof databaseRoles;

/** The default prefix of the names of the roles. */
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

/** The runtime roles, in the order of the table. */
export const runtimeRoleNames: readonly RuntimeRole[] = [
  'sftp_gateway',
  'http_files',
  'job_manager',
  'audit',
  'operator',
];
