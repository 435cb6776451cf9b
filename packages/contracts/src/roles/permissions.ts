import { z } from 'zod';

/** What can be done with a resource. */
export const verbs = ['read', 'write', 'run', 'delete'] as const;

/** What can be done with a resource. */
export type Verb = (typeof verbs)[number];

/** Every permission of the management interfaces, and what it allows. */
export const permissions = {
  'jobs:read': 'list and show jobs, follow them, read their statistics and the deliveries of their webhooks',
  'jobs:run': 'submit jobs',
  'jobs:write': 'abort, resume and resubmit jobs',
  'approvals:run': 'decide about jobs that wait for an approval; the step names who may decide',
  'queues:read': 'list and show the state of job queues',
  'queues:write': 'pause and resume job queues',
  'expectations:read': 'list and show what has come of expectations',
  'expectations:write': 'acknowledge what has come of expectations',
  'sessions:read':
    'list, query and follow open sessions over SFTP and HTTP, and list running transfers and unfinished uploads',
  'sessions:delete': 'end sessions over SFTP and HTTP, and running transfers, and delete unfinished uploads',
  'health:read': 'see how the platform and what it needs do',
  'bans:read': 'list login bans',
  'bans:delete': 'lift login bans',
  'freezes:read': 'see whether a user is frozen',
  'freezes:write': 'freeze and thaw users',
  'configuration:read': 'read the configuration, apart from manager users and roles',
  'configuration:write': 'create and change objects of the configuration',
  'configuration:delete': 'delete objects of the configuration',
  'identities:read': 'read manager users and roles',
  'identities:write': 'create and change manager users, roles and account policies, and choose the policies of actors',
  'identities:delete': 'delete manager users, roles and account policies',
  'activity:read':
    'read and count the audit records of logins to the file servers, transfers, changes of files and jobs, and no others',
  'audit:read': 'read, export and verify the audit log',
  'audit:write': 'redact audit records, and place and release holds',
} as const satisfies Readonly<Record<`${string}:${Verb}`, string>>;

/** A permission: a resource and a verb. */
export type Permission = keyof typeof permissions;

/** All permissions, in the order of the table. */
export const permissionNames = Object.keys(permissions) as readonly Permission[];

/** A permission, or all of a resource: `jobs:*`. */
export type PermissionPattern = Permission | `${ResourceOf<Permission>}:*`;

type ResourceOf<P extends string> = P extends `${infer R}:${string}` ? R : never;

const patterns = [...new Set(permissionNames.flatMap((name) => [name, allOf(name)]))];

/** A permission of a role in the configuration, or all of a resource. */
export const permissionPatternSchema = z.enum(patterns);

/** The interface's own names of two permissions. */
const namesOfInterface: Readonly<Partial<Record<Permission, string>>> = {
  'jobs:run': 'WORKFLOW',
  'jobs:read': 'SPENGCEMANJOBS',
};

/** A permission in a sentence, with the name that the interface has for its resource: `jobs:run (WORKFLOW)`. */
export function permissionTitle(permission: Permission): string {
  const name = namesOfInterface[permission];
  return name === undefined ? permission : `${permission} (${name})`;
}

/** The permissions that patterns stand for. */
export function permissionsOf(given: readonly PermissionPattern[]): ReadonlySet<Permission> {
  const wanted = new Set<string>(given);
  return new Set(permissionNames.filter((name) => wanted.has(name) || wanted.has(allOf(name))));
}

function allOf(name: Permission): PermissionPattern {
  return `${name.slice(0, name.indexOf(':')) as ResourceOf<Permission>}:*`;
}
