import { z } from 'zod';

/** The roles that a manager user can have. */
export const roleSchema = z.enum(['Administrators', 'Users']);

/** A role of a manager user. */
export type Role = z.infer<typeof roleSchema>;

/** What permissions are given on, and which roles may read or write it by default. */
export const resources = {
  /** Submitting jobs. */
  WORKFLOW: { read: ['Users', 'Administrators'], write: ['Administrators'] },
  /** The list of jobs and what can be done to them. */
  SPENGCEMANJOBS: { read: ['Users', 'Administrators'], write: ['Administrators'] },
  /** The audit records. */
  AUDITLOGSVIEW: { read: ['Administrators'], write: [] },
  /** Clusters, peers, servers and their open sessions. */
  CLUSTERS: { read: ['Users', 'Administrators'], write: ['Administrators'] },
  /** Actors, users, VFS, contracts: the configuration. */
  CONFIG: { read: ['Administrators'], write: ['Administrators'] },
} as const satisfies Record<string, Record<'read' | 'write', readonly Role[]>>;

/** Something that permissions are given on. */
export type Resource = keyof typeof resources;
