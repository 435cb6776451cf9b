import { grantsOf, reachOf } from '@waybill/access/principal';
import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import { builtInRoleNames, builtInRoles } from '@waybill/contracts/roles/built-in-roles';
import { type Permission, permissionNames, permissions } from '@waybill/contracts/roles/permissions';
import { type GeneratedPage, markdownTable } from './generated-page.ts';
import { interfaceAreas } from './interface-areas.ts';

const ownRoles = `## Roles of the configuration

Further roles are objects of the [configuration file](configuration-file.md) and of the [administration API](administration.md)
(\`roles\`):

\`\`\`yaml
roles:
  - name: Operators of acme
    description: The service desk of acme.
    permissions: ['jobs:*', 'freezes:*', 'configuration:read']
    actors: [acme]
managerUsers:
  - { name: tom, roles: [Operators of acme] }
\`\`\`

\`jobs:*\` stands for all verbs of a resource. \`actors\` limits the role to what belongs to these actors: their objects in the configuration, their
jobs, their expectations and deliveries of webhooks, freezes, sessions and transfers of their users, and the [activity](audit.md#activity) of these.
Anything else looks as if it did not exist. Endpoints that have no actor, such as queues, refuse such a role, and so do streams of events; the last column of [Endpoints](#endpoints) says which do. A user with
several roles has the permissions of each within its actors. An actor that gets the name of a deleted one has none of [its
jobs](jobs.md#jobs-of-a-former-actor).

A role that is limited to actors and has \`configuration:write\` cannot name files or users of other actors in what it writes. That a name is taken
cannot be hidden from it where names are unique on the platform, as those of users, virtual file systems, client connections, PGP keys and contracts are: a new
object of this name is refused with 409 (\`entity_exists\`), without whose it is. Groups and Connection Contracts of different actors may have the same name.

No user gives more rights than this user has: one with \`identities:write\` can neither create nor change a manager user or a role that has
permissions that this user lacks. So Administrators are changed by Administrators only.

Account policies decide how users prove who they are. To create, change or delete one requires \`identities:write\` or \`identities:delete\`, and so
does it to choose, change or remove the \`accountPolicy\` of an actor, or to delete an actor that has one, in whatever way: one by one, together with other changes, or with a plan. To
read them, \`configuration:read\` is enough.

A change of a role, of a user's roles or of \`enabled\` is in force within a second in every process, for tokens that were
issued before too.
`;

/** `docs/roles.md`: the permissions, the roles that have them, and the endpoints that demand them. */
export function renderRolesPage(): GeneratedPage {
  return {
    path: 'docs/roles.md',
    text: `# Roles and permissions

What a user of the management interfaces may do is the sum of the user's roles. A role is a list of permissions, and a permission is a
resource and a verb, such as \`jobs:run\`. Each endpoint demands one permission, or none beyond a login.

- [Built-in roles](#built-in-roles)
- [Permissions](#permissions)
- [Roles of the configuration](#roles-of-the-configuration)
- [Endpoints](#endpoints)

## Built-in roles

${markdownTable(
  ['Role', 'For whom'],
  builtInRoleNames.map((name) => [name, builtInRoles[name].description]),
)}
They exist on every platform and cannot be changed. [\`GET roles\`](administration.md) and \`waybill objects list roles\` list them, with
their permissions and \`source: built-in\`. \`WORKFLOW\` and \`SPENGCEMANJOBS\`, the resources of the interface for jobs, are \`jobs:run\`
and \`jobs:read\`.

## Permissions

${markdownTable(
  ['Permission', 'Allows to', ...builtInRoleNames],
  permissionNames.map((name) => [
    `\`${name}\``,
    permissions[name],
    ...builtInRoleNames.map((role) => (has(role, name) ? 'yes' : '')),
  ]),
)}
${ownRoles}
## Endpoints

\`tests/end-to-end/permission-matrix.test.ts\` calls every endpoint of this table as each built-in role, and as roles that are limited to
an actor.

${Object.values(interfaceAreas)
  .flatMap(({ title, endpoints }) => sectionOf(title, endpoints))
  .join('\n')}`,
  };
}

function has(role: string, permission: Permission): boolean {
  return reachOf(grantsOf([role]), permission) === 'all';
}

function sectionOf(title: string, endpoints: readonly EndpointContract[]): string[] {
  const rows = endpoints.flatMap(rowOf);
  if (rows.length === 0) return [];
  const heading = title.replace('Waybill: ', '');
  return [
    `### ${heading.charAt(0).toUpperCase()}${heading.slice(1)}\n\n${markdownTable(
      ['Endpoint', 'Permission', 'Built-in roles', 'Limited to actors'],
      rows,
    )}`,
  ];
}

function rowOf({ method, path, authentication }: EndpointContract): string[][] {
  if (authentication.kind !== 'bearer') return [];
  const { permission, ofActor = false } = authentication;
  const roles = builtInRoleNames.filter((role) => permission === undefined || has(role, permission));
  const limited = permission === undefined || ofActor ? 'yes' : '';
  return [
    [`\`${method} ${path}\``, permission === undefined ? 'a login' : `\`${permission}\``, roles.join(', '), limited],
  ];
}
