import type { Permission } from '@waybill/contracts/values/permission';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { AccessDecision } from './access-decision.ts';
import { holdsMount, type Mounts } from './mounts.ts';

/**
 * Whether a user may do this with the file or folder at a path, and why. A folder that belongs to the configuration can be
 * listed, and nothing else: it stays as it is. Both protocols decide their operations with it, and so does an explanation.
 */
export function decideOperation(access: Mounts, path: VirtualPath, operation: Permission): AccessDecision {
  if (operation === 'list' || !holdsMount(access, path)) return access.decide(path, operation);
  const why = `'${path}' belongs to the configuration: something is mounted there or below`;
  return { allowed: false, why, by: { rule: 'mount' } };
}
