/** A manager user for each built-in role. */
export const managerNames = {
  Administrators: 'admin',
  Operators: 'operator',
  Auditors: 'auditor',
  Users: 'viewer',
  'Security officers': 'officer',
} as const;

/** The statement that adds those of them that a database lacks, without passwords: for tests that issue tokens themselves. */
export const insertManagers = Object.entries(managerNames)
  .map(
    ([role, name]) => `
      INSERT INTO directory.manager_users (name, roles, enabled, definition)
      VALUES ('${name}', '{"${role}"}', true, '{"name":"${name}","roles":["${role}"],"enabled":true}')
      ON CONFLICT (name) DO NOTHING;`,
  )
  .join('');
