import type { EntityType } from '@waybill/contracts/configuration/entity-type';

/** All settings of an entity, by name. */
export type Definition = Readonly<Record<string, unknown>>;

/** Names one entity. */
export interface EntityTarget {
  readonly entityType: EntityType;
  readonly name: string;
  /** Required for a Connection Contract, whose name is unique in its actor only. */
  readonly actor?: string | undefined;
}

/** Whether a stored entity is the one that is meant. */
export function isTarget(
  entity: { readonly entityType: EntityType; readonly name: string; readonly definition: Definition },
  { entityType, name, actor }: EntityTarget,
): boolean {
  const isNamed = entity.entityType === entityType && entity.name === name;
  return isNamed && (entityType !== 'Connection Contract' || entity.definition['actor'] === actor);
}
