import type { EntityType } from '@waybill/contracts/configuration/entity-type';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { FieldError } from '@waybill/contracts/errors/coded-error';
import { objectionToNewName, showHiddenCharacters } from '@waybill/contracts/values/configured-names';
import { z } from 'zod';
import type { Definition } from '../sources/entity-target.ts';
import { actorLists, nameKey, platformLists } from '../sources/lists-of-kinds.ts';

/** A name that something gets and must not get. */
interface RefusedName extends FieldError {
  /** The message without the name. */
  readonly why: string;
}

/** The parts of entities that have addresses, by the setting that lists them. */
const namedParts: Partial<Record<EntityType, string>> = { Cluster: 'servers', Contract: 'expectations' };

/**
 * Names that no new entity can have, nor a new server or expectation, because they could be taken for others or cannot be addressed.
 * `existing`: those that there are, as `namesThereAre` has them, which stay valid; by default all are new.
 */
export function checkNewNames(
  configuration: PlatformConfiguration,
  existing: ReadonlySet<string> = new Set(),
): FieldError[] {
  return refusedNames(configuration, existing).map(({ field, message }) => ({ field, message }));
}

/** The same, with the reasons alone. */
export function refusedNames(configuration: PlatformConfiguration, existing: ReadonlySet<string>): RefusedName[] {
  const check = (entityType: EntityType, entity: { name: string }, place: string, actor?: string): RefusedName[] => {
    const key = nameKey(entityType, entity.name, actor);
    const shown = `${entityType} ${showHiddenCharacters(entity.name)}`;
    const names = [
      { name: entity.name, key, field: `${place}.name`, title: shown },
      ...partsOf(entityType, entity).map(({ name }, index) => ({
        name,
        key: partKey(key, name),
        field: `${place}.${namedParts[entityType]}[${index}].name`,
        title: `${showHiddenCharacters(name)} in ${shown}`,
      })),
    ];
    return names.flatMap(({ name, field, title, ...found }) => {
      const why = objectionToNewName(name);
      if (why === undefined || existing.has(found.key)) return [];
      return [{ field, message: `the name of ${title} ${why}`, why }];
    });
  };
  const ofPlatform = [...platformLists].flatMap(([entityType, list]) =>
    configuration[list].flatMap((entity, index) => check(entityType, entity, `${list}[${index}]`)),
  );
  const ofActors = configuration.actors.flatMap((actor, a) => [
    ...(actor.type === undefined ? [] : check('Actor', actor, `actors[${a}]`)),
    ...[...actorLists].flatMap(([entityType, list]) =>
      actor[list].flatMap((entity, index) => check(entityType, entity, `actors[${a}].${list}[${index}]`, actor.name)),
    ),
  ]);
  return [...ofPlatform, ...ofActors];
}

/** The names of entities that there are, and of their parts. */
export function namesThereAre(
  entities: readonly { readonly entityType: EntityType; readonly name: string; readonly definition: Definition }[],
): ReadonlySet<string> {
  return new Set(
    entities.flatMap(({ entityType, name, definition }) => {
      const key = nameKey(entityType, name, definition['actor']);
      return [key, ...partsOf(entityType, definition).map((part) => partKey(key, part.name))];
    }),
  );
}

const partsSchema = z.array(z.looseObject({ name: z.string() })).catch([]);

function partsOf(entityType: EntityType, entity: object): { name: string }[] {
  const setting = namedParts[entityType];
  return setting === undefined ? [] : partsSchema.parse(Reflect.get(entity, setting));
}

function partKey(entity: string, part: string): string {
  return JSON.stringify([entity, part]);
}
