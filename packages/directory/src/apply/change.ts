/** What can be created, modified and deleted by a configuration, as audit records name it. */
export type EntityType =
  | 'Cluster'
  | 'Storage Class'
  | 'Job Queue'
  | 'Workflow Template'
  | 'Internal User'
  | 'Actor'
  | 'External User'
  | 'VFS'
  | 'Connection Contract'
  | 'Contract';

/** All settings of an entity, by name. */
export type Definition = Readonly<Record<string, unknown>>;

/** One difference between the configuration and what was in force before. */
export interface Change {
  readonly change: 'created' | 'modified' | 'deleted';
  readonly entityType: EntityType;
  readonly entityName: string;
  /** Decimal. Of an entity that a plan would create: not its id yet. */
  readonly entityId: string;
  /** What is different about a modified one: `enabled`, `clauses`, `password`, ... */
  readonly fields: readonly string[];
  /** What the configuration said about a modified one, and says now: whole, but without passwords. */
  readonly definitions?: { readonly before: Definition; readonly after: Definition };
}
