import type { AccessRule } from '@waybill/contracts/endpoints/administration/access-rule';
import type { Permission } from '@waybill/contracts/values/permission';
import { isWithin, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { AccessDecision } from '../access/access-decision.ts';
import { decideOperation } from '../access/decide-operation.ts';
import type { Mount, Mounts } from '../access/mounts.ts';

/** Mounts that are named at most. */
const shownAtMost = 10;

/** The rules by which a user who reaches these mounts may do something at a path, or may not. */
export function explainPath(
  access: Mounts,
  { path, operation }: { readonly path: VirtualPath; readonly operation: Permission },
): AccessRule[] {
  const decision = decideOperation(access, path, operation);
  const location = access.locate(path);
  const mount = location?.mount ?? access.mounts.find(({ mountPath }) => isWithin(mountPath, path));
  if (mount === undefined) return [{ ...mountRule(path, decision), why: nothingMounted(access, path) }];
  if (location === undefined || decision.by.rule === 'mount') {
    return [...contractRules(mount), mountRule(mount.mountPath, decision)];
  }
  const { vfs } = location;
  const mounted = { allowed: true, why: `'${path}' is '${location.path}' of what is mounted on '${mount.mountPath}'` };
  const rules = [...contractRules(mount), mountRule(mount.mountPath, mounted)];
  const { allowed: allows, why, by } = decision;
  const system = { rule: 'virtual-file-system', name: vfs.name } as const;
  if (by.rule !== 'permission') return [...rules, { ...system, allows, why }];
  return [
    ...rules,
    { ...system, allows: true, why: `ACLs are enabled on ${vfs.name}` },
    { rule: 'permission', name: by.on, allows, why },
  ];
}

function contractRules({ connectionContract: name, clause, vfs }: Mount): AccessRule[] {
  const contract = {
    rule: 'connection-contract',
    name,
    allows: true,
    why: `Connection Contract ${name} is enabled, and for this server`,
  } as const;
  if (clause === undefined) return [contract];
  const whom = clause.user === null ? `group ${clause.group}` : `user ${clause.user}`;
  const place = `clauses[${clause.position}]`;
  const why = `${place} of ${name} connects ${whom} to ${vfs.name}`;
  return [contract, { rule: 'clause', name: place, allows: true, why }];
}

function mountRule(name: string, { allowed: allows, why }: Pick<AccessDecision, 'allowed' | 'why'>): AccessRule {
  return { rule: 'mount', name, allows, why };
}

function nothingMounted({ mounts }: Mounts, path: VirtualPath): string {
  const shown = mounts.slice(0, shownAtMost).map(({ mountPath }) => `'${mountPath}'`);
  const more = mounts.length > shownAtMost ? [`${mounts.length - shownAtMost} more`] : [];
  return `Nothing is mounted on '${path}', but on ${[...shown, ...more].join(', ')}`;
}
