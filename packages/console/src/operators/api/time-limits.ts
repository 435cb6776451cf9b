import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';

/**
 * How long requests wait for the server, in milliseconds. A browser has six connections to a server over HTTP/1.1: requests that hang
 * must leave them to others.
 */
export const limitMs = {
  /** What is read, and logins. */
  read: 15_000,
  changed: 60_000,
  /** A load balancer may wait as long. */
  long: 20 * 60_000,
} as const;

/** What takes long with a large configuration or a large log. */
const longEndpoints: ReadonlySet<string> = new Set([
  'readConfigurationDrift',
  'exportConfiguration',
  'planConfiguration',
  'applyConfiguration',
  'changeObjects',
  'forceObject',
  'verifyAuditRecord',
  'redactAuditRecords',
  'exportAuditRecords',
]);

/** How long a request to an endpoint waits if it does not say so itself. */
export function usualLimitMs({ id, method }: Pick<EndpointContract, 'id' | 'method'>): number {
  if (longEndpoints.has(id)) return limitMs.long;
  return method === 'GET' ? limitMs.read : limitMs.changed;
}
