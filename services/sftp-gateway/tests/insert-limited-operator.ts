import { userNameSchema, type UserName } from '@waybill/contracts/values/user-name';
import type { TestDatabase } from '@waybill/test-kit/create-test-database';

/** Inserts a manager user with the permissions on sessions for one actor, if it is not there, and returns its name. */
export async function insertLimitedOperator({ query }: Pick<TestDatabase, 'query'>, actor: string): Promise<UserName> {
  const name = `operator-of-${actor}`;
  const role = JSON.stringify({ name, description: '', permissions: ['sessions:*'], actors: [actor] });
  const user = JSON.stringify({ name, roles: [name], enabled: true });
  await query(`
    INSERT INTO directory.roles (name, definition) SELECT '${name}', '${role}'
      WHERE NOT EXISTS (SELECT FROM directory.roles WHERE name = '${name}');
    INSERT INTO directory.manager_users (name, roles, enabled, definition) SELECT '${name}', '{${name}}', true, '${user}'
      WHERE NOT EXISTS (SELECT FROM directory.manager_users WHERE name = '${name}')`);
  return userNameSchema.parse(name);
}
