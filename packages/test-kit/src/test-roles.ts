/** The roles that log in to a database of a platform, as `waybill migrate` creates them. */
const loginRoles = ['migrator', 'sftp_gateway', 'http_files', 'job_manager', 'audit', 'operator'] as const;

/** One of the roles that log in. */
export type TestRole = (typeof loginRoles)[number];

const passwordOf = (role: TestRole): string => `password of ${role}`;

/** What a test's database is migrated with, so that `urlAs` can log in. */
export const testRoles = {
  prefix: 'waybill',
  passwords: Object.fromEntries(loginRoles.map((role) => [role, passwordOf(role)])) as Record<TestRole, string>,
};

/** The address of a test's database for a service: as the role that it has in an installation. */
export function urlAs(role: TestRole, databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.username = `${testRoles.prefix}_${role}`;
  url.password = passwordOf(role);
  return url.toString();
}
