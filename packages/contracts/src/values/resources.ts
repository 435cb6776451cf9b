import { z } from 'zod';

/** The roles that a manager user can have. */
export const roleSchema = z.enum(['Administrators', 'Users', 'Auditors']);

/** A role of a manager user. */
export type Role = z.infer<typeof roleSchema>;

/** The resources of permissions, and the roles that may read or write each by default. */
export const resources = {
  /** Submitting jobs. */
  WORKFLOW: { read: ['Users', 'Administrators'], write: ['Administrators'] },
  /** Listing and controlling jobs. */
  SPENGCEMANJOBS: { read: ['Users', 'Administrators'], write: ['Administrators'] },
  /** Decisions about jobs that wait for an approval; the step names who may decide. */
  JOBAPPROVALS: { read: ['Users', 'Administrators'], write: ['Users', 'Administrators'] },
  /** The audit records. */
  AUDITLOGSVIEW: { read: ['Auditors', 'Administrators'], write: [] },
  /** Redactions of audit records. */
  AUDITLOGSMANAGE: { read: ['Administrators'], write: ['Administrators'] },
  /** Clusters, peers, servers and their open sessions. */
  CLUSTERS: { read: ['Users', 'Administrators'], write: ['Administrators'] },
  /** Actors, users, VFS, contracts: the configuration. */
  CONFIG: { read: ['Administrators'], write: ['Administrators'] },
} as const satisfies Record<string, Record<'read' | 'write', readonly Role[]>>;

/** A resource of permissions. */
export type Resource = keyof typeof resources;
