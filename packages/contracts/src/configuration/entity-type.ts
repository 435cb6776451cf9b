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
