import { type Role, resources, type Resource } from '@waybill/contracts/values/resources';
import type { UserName } from '@waybill/contracts/values/user-name';

/** The caller that a bearer token identifies. */
export interface Principal {
  readonly userName: UserName;
  readonly roles: readonly Role[];
  /** When the token expires, in milliseconds since 1970. */
  readonly expiresAt?: number;
}

/** True when one of the principal's roles may read, or write, the resource. */
export function isPermitted(principal: Principal, resource: Resource, access: 'read' | 'write'): boolean {
  const roles: readonly Role[] = resources[resource][access];
  return principal.roles.some((role) => roles.includes(role));
}
