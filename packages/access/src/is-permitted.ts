import { resources, type Resource, type Role } from '@waybill/contracts/values/resources';
import type { Principal } from './principal.ts';

/** True when one of the principal's roles may read, or write, the resource. */
export function isPermitted(principal: Principal, resource: Resource, access: 'read' | 'write'): boolean {
  const roles: readonly Role[] = resources[resource][access];
  return principal.roles.some((role) => roles.includes(role));
}
