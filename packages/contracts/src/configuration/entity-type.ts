/** The kinds of entities of a configuration, as in audit records. */
export type EntityType =
  | 'Cluster'
  | 'Account Policy'
  | 'Storage Class'
  | 'Job Queue'
  | 'Workflow Template'
  | 'Role'
  | 'Internal User'
  | 'Actor'
  | 'External User'
  | 'Group'
  | 'VFS'
  | 'Connection Contract'
  | 'Client Connection'
  | 'PGP Key'
  | 'Contract'
  | 'Access Test';

/** Manager users and roles: who has which rights, which `identities:read` lets one read. */
export function isIdentity(entityType: EntityType): boolean {
  return entityType === 'Role' || entityType === 'Internal User';
}
