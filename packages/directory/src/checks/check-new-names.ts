import type { EntityType } from '@waybill/contracts/configuration/entity-type';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { FieldError } from '@waybill/contracts/errors/coded-error';
import { objectionToNewName, showHiddenCharacters } from '@waybill/contracts/values/configured-names';
import { actorLists, nameKey, platformLists } from '../sources/lists-of-kinds.ts';

/**
 * Names that no new entity can have, because they could be taken for others. `existing`: `nameKey` of the entities that there are, whose
 * names stay valid; by default all are new.
 */
export function checkNewNames(
  configuration: PlatformConfiguration,
  existing: ReadonlySet<string> = new Set(),
): FieldError[] {
  const check = (entityType: EntityType, name: string, place: string, actor?: string): FieldError[] => {
    const why = objectionToNewName(name);
    if (why === undefined || existing.has(nameKey(entityType, name, actor))) return [];
    const message = `the name of ${entityType} ${showHiddenCharacters(name)} ${why}`;
    return [{ field: `${place}.name`, message }];
  };
  const ofPlatform = [...platformLists].flatMap(([entityType, list]) =>
    configuration[list].flatMap(({ name }, index) => check(entityType, name, `${list}[${index}]`)),
  );
  const ofActors = configuration.actors.flatMap((actor, a) => [
    ...(actor.type === undefined ? [] : check('Actor', actor.name, `actors[${a}]`)),
    ...[...actorLists].flatMap(([entityType, list]) =>
      actor[list].flatMap(({ name }, index) => check(entityType, name, `actors[${a}].${list}[${index}]`, actor.name)),
    ),
  ]);
  return [...ofPlatform, ...ofActors];
}
