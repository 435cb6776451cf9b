import type { EntityType } from '@waybill/contracts/configuration/entity-type';
import type { Definition } from '../sources/entity-target.ts';

/** One difference between the configuration and the previous one. */
export interface Change {
  readonly change: 'created' | 'modified' | 'deleted';
  readonly entityType: EntityType;
  readonly entityName: string;
  /** Decimal. Not final for an entity that a plan would create. */
  readonly entityId: string;
  /** The settings that differ, for a modified entity: `enabled`, `clauses`, `password`, ... */
  readonly fields: readonly string[];
  /** The whole definitions of a modified entity before and after the change, without passwords. */
  readonly definitions?: { readonly before: Definition; readonly after: Definition };
  /** The whole definition of a created or a deleted entity, without passwords. */
  readonly definition?: Definition;
}
