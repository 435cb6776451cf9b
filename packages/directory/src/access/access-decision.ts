import type { Permission } from '@waybill/contracts/values/permission';
import { isWithin, segmentsOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';

/** Whether an operation is allowed, and the reason in one sentence. */
export interface AccessDecision {
  readonly allowed: boolean;
  readonly why: string;
  /** What has decided: where something is mounted, a VFS without ACLs or without a rule for the path, or this rule of its ACL. */
  readonly by:
    | { readonly rule: 'mount' | 'virtual-file-system' }
    | { readonly rule: 'permission'; readonly on: VirtualPath };
}

/** The permissions of one user or one group under a rule. */
export interface AclGrant {
  readonly user?: string | undefined;
  readonly group?: string | undefined;
  readonly permissions: readonly Permission[];
}

/** The permissions on a virtual path inside a VFS and, unless a nearer rule applies, below it. */
export interface AclRule {
  readonly path: VirtualPath;
  readonly grants: readonly AclGrant[];
}

/** The user, the operation and the path to decide. */
export interface AccessQuestion {
  readonly vfsName: string;
  /** `undefined`: ACLs are not enabled. */
  readonly acl: readonly AclRule[] | undefined;
  readonly user: { readonly name: string; readonly groups: readonly string[] };
  /** Inside the VFS. */
  readonly path: VirtualPath;
  readonly permission: Permission;
}

/**
 * Decides whether an operation is allowed, and why. Without ACLs everything is allowed. With ACLs, only the rule on
 * the path itself, or on its nearest ancestor with a rule, applies: everything that it grants to the user or to one
 * of the user's groups is allowed. Without any rule nothing is allowed.
 */
export function decideAccess({ vfsName, acl, user, path, permission }: AccessQuestion): AccessDecision {
  const byVfs = { rule: 'virtual-file-system' } as const;
  if (!acl) return { allowed: true, why: `ACLs are not enabled on ${vfsName}`, by: byVfs };
  const rule = nearestRule(acl, path);
  if (!rule) return { allowed: false, why: `${vfsName} has no rule on ${path} or above it`, by: byVfs };
  const grant = rule.grants.find((grant) => concerns(grant, user) && grant.permissions.includes(permission));
  const place = `The rule on ${rule.path} of ${vfsName}`;
  const by = { rule: 'permission', on: rule.path } as const;
  return grant
    ? { allowed: true, why: `${place} grants ${permission} to ${grantee(grant)}`, by }
    : { allowed: false, why: `${place} does not grant ${permission} to user ${user.name}`, by };
}

function nearestRule(acl: readonly AclRule[], path: VirtualPath): AclRule | undefined {
  return acl
    .filter((rule) => isWithin(path, rule.path))
    .toSorted((one, other) => segmentsOf(other.path).length - segmentsOf(one.path).length)
    .at(0);
}

function concerns(grant: AclGrant, user: AccessQuestion['user']): boolean {
  return grant.user === user.name || (grant.group !== undefined && user.groups.includes(grant.group));
}

function grantee(grant: AclGrant): string {
  return grant.user === undefined ? `group ${grant.group}` : `user ${grant.user}`;
}
