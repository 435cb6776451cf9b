import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';

/**
 * How long requests wait for the server, in milliseconds. A browser has six connections to a server over HTTP/1.1: requests
 * that hang must leave them to others.
 */
export const limitMs = {
  /** What is read, and logins. */
  read: 15_000,
  /** What searches much: longer than the database may take. */
  searched: 40_000,
  changed: 60_000,
  /** The rest of a response that has begun: the network may be slow. */
  body: 120_000,
  /** A load balancer may wait as long. */
  long: 20 * 60_000,
} as const;

/** What takes longer than usual where there is much: a large configuration, many jobs or files, a long audit log. */
const otherLimitsMs: Readonly<Record<string, number>> = {
  listAuditRecords: limitMs.searched,
  countAuditRecords: limitMs.searched,
  listActivity: limitMs.searched,
  countActivity: limitMs.searched,
  listJobs: limitMs.searched,
  readJobHours: limitMs.searched,
  readVfsUsage: limitMs.searched,
  listUnfinishedUploads: limitMs.searched,
  readConfigurationDrift: limitMs.long,
  exportConfiguration: limitMs.long,
  planConfiguration: limitMs.long,
  applyConfiguration: limitMs.long,
  changeObjects: limitMs.long,
  forceObject: limitMs.long,
  verifyAuditRecord: limitMs.long,
  redactAuditRecords: limitMs.long,
  exportAuditRecords: limitMs.long,
};

/** How long a request to an endpoint waits if it does not say so itself. */
export function usualLimitMs({ id, method }: Pick<EndpointContract, 'id' | 'method'>): number {
  return otherLimitsMs[id] ?? (method === 'GET' ? limitMs.read : limitMs.changed);
}
