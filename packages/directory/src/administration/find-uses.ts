import type { EntityType } from '@waybill/contracts/configuration/entity-type';
import type { FieldError } from '@waybill/contracts/errors/coded-error';
import { type EntityTarget, isNamedInActor } from '../sources/entity-target.ts';
import type { StoredEntity } from '../sources/stored-entities.ts';
import { type MayName, titleOfEntity, unnamed } from '../sources/with-others.ts';

/** A setting of an entity that names another one. */
export interface EntityUse {
  readonly entityType: EntityType;
  readonly name: string;
  readonly actor?: string | undefined;
  /** As in `clauses[0].vfs`. */
  readonly setting: string;
  /** The name of the other entity. */
  readonly of: string;
}

/** The settings that name entities of a kind, wherever they are in a definition. */
const naming: Readonly<Record<EntityType, readonly string[]>> = {
  Cluster: ['cluster'],
  'Account Policy': ['accountPolicy'],
  'Storage Class': ['storageClass'],
  'Job Queue': ['queue'],
  'Workflow Template': ['workflow'],
  Role: ['roles'],
  'Internal User': ['approvers'],
  Actor: ['actor', 'actors'],
  'External User': ['user', 'users'],
  Group: ['group', 'groups'],
  VFS: ['vfs', 'virtualFileSystem'],
  'Connection Contract': [],
  'Client Connection': ['connection', 'connections'],
  'PGP Key': ['key', 'keys', 'recipients', 'signers', 'signWith'],
  Contract: ['contract'],
  'Access Test': [],
};

/** What refers to an entity, among those around it that may be named. */
export function findUses(
  { entityType, name: of, actor: ofActor }: EntityTarget,
  others: readonly StoredEntity[],
  mayName: MayName,
): EntityUse[] {
  const names = new Set(naming[entityType]);
  return others.flatMap((entity) => {
    const actor = entity.entityType === 'Actor' ? entity.name : entity.definition['actor'];
    const owner = typeof actor === 'string' ? actor : undefined;
    if (!mayName(entity)) return [];
    if (isNamedInActor(entityType) && owner !== ofActor) return [];
    return placesOf(entity.definition, names, of).map((setting) => ({
      entityType: entity.entityType,
      name: entity.name,
      ...(entity.entityType !== 'Actor' && owner !== undefined && { actor: owner }),
      setting,
      of,
    }));
  });
}

/**
 * What has to go before an actor does: all that belongs to it or names it, once for all that may not be named. Empty for other kinds
 * of entities.
 */
export function usesOfActor(target: EntityTarget, others: readonly StoredEntity[], mayName: MayName): FieldError[] {
  if (target.entityType !== 'Actor') return [];
  const actor = `the actor ${target.name}`;
  const messages = others.flatMap((entity) => {
    const settings = findUses(target, [entity], () => true).map(({ setting }) => setting);
    if (settings.length === 0) return [];
    if (!mayName(entity)) return [`${unnamed(entity)} names ${actor}`];
    const use = settings.includes('actor') ? `belongs to ${actor}` : `names ${actor} in ${settings.join(', ')}`;
    return [`${titleOfEntity(entity)} ${use}`];
  });
  return [...new Set(messages)].map((message) => ({ field: '', message }));
}

/** The places below a value where a setting with one of these names has the text. */
function placesOf(value: unknown, names: ReadonlySet<string>, text: string, place = '', isNaming = false): string[] {
  if (value === text) return isNaming ? [place] : [];
  if (Array.isArray(value))
    return value.flatMap((item, index) => placesOf(item, names, text, `${place}[${index}]`, isNaming));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    placesOf(member, names, text, place === '' ? key : `${place}.${key}`, names.has(key)),
  );
}
