import { z } from 'zod';
import { type PermissionPattern, permissionNames } from './permissions.ts';

/** What a role allows. */
export interface RoleDefinition {
  readonly description: string;
  readonly permissions: readonly PermissionPattern[];
  /** The actors to which the role is limited; absent: it is not limited. */
  readonly actors?: readonly string[] | undefined;
}

/** What the interface demands of Users. */
const ofUsers = [
  'jobs:read',
  'approvals:run',
  'queues:read',
  'expectations:read',
  'sessions:read',
  'health:read',
  'bans:read',
] as const satisfies readonly PermissionPattern[];

/** The roles that every platform has. They cannot be changed. */
export const builtInRoles = {
  Administrators: { description: 'May do everything.', permissions: permissionNames },
  Operators: {
    description: 'Run the platform: jobs, queues, sessions, bans and freezes; follow what becomes of files.',
    permissions: [
      'jobs:*',
      'approvals:run',
      'queues:*',
      'expectations:*',
      'sessions:*',
      'health:read',
      'bans:*',
      'freezes:*',
      'configuration:read',
      'activity:read',
    ],
  },
  Auditors: { description: 'Read the audit log, and nothing else.', permissions: ['audit:read'] },
  Users: { description: 'See jobs and sessions, and decide about approvals.', permissions: ofUsers },
  'Security officers': {
    description: 'Manage manager users and roles, lock partners out, and read the audit log.',
    permissions: [
      ...ofUsers,
      'sessions:delete',
      'bans:delete',
      'freezes:*',
      'configuration:read',
      'identities:*',
      'audit:read',
    ],
  },
} as const satisfies Readonly<Record<string, RoleDefinition>>;

/** The name of a built-in role. */
export type BuiltInRole = keyof typeof builtInRoles;

/** The names of the built-in roles. */
export const builtInRoleNames = Object.keys(builtInRoles) as readonly BuiltInRole[];

/** The name of a built-in role. */
export const builtInRoleSchema = z.enum(builtInRoleNames);
