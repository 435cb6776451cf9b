import type { EntityType } from '@waybill/contracts/configuration/entity-type';

/** All settings of an entity, by name. */
export type Definition = Readonly<Record<string, unknown>>;

/** Whether names of a kind are unique in their actor only: the same name in another actor is another entity. */
export function isNamedInActor(entityType: EntityType): boolean {
  return entityType === 'Connection Contract' || entityType === 'Group';
}

/** Names one entity. */
export interface EntityTarget {
  readonly entityType: EntityType;
  readonly name: string;
  /** Required for a group and a Connection Contract, whose names are unique in their actor only. */
  readonly actor?: string | undefined;
}

/** Whether a stored entity is the one that is meant. */
export function isTarget(
  entity: { readonly entityType: EntityType; readonly name: string; readonly definition: Definition },
  { entityType, name, actor }: EntityTarget,
): boolean {
  const isNamed = entity.entityType === entityType && entity.name === name;
  return isNamed && (!isNamedInActor(entityType) || entity.definition['actor'] === actor);
}
