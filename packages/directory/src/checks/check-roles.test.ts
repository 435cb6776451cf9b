import { platformConfigurationSchema } from '@waybill/contracts/configuration/platform-configuration';
import { expect, it } from 'vitest';
import { checkRoles } from './check-roles.ts';

it('finds actors of roles that no entry of the configuration creates', () => {
  const configuration = platformConfigurationSchema.parse({
    managerUsers: [{ name: 'admin', password: 'secret-of-admin', roles: ['Administrators'] }],
    roles: [
      { name: 'All', permissions: ['jobs:read'] },
      { name: 'Team', permissions: ['jobs:read'], actors: ['acme', 'Acme', 'globex', '__proto__'] },
    ],
    actors: [{ name: 'acme', type: 'Partner' }, { name: 'globex' }],
  });
  expect(checkRoles(configuration)).toEqual([
    { field: 'roles[1].actors[1]', message: 'there is no actor Acme' },
    { field: 'roles[1].actors[2]', message: 'there is no actor globex' },
    { field: 'roles[1].actors[3]', message: 'there is no actor __proto__' },
  ]);
});
