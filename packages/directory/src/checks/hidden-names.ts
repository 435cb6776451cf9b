import type { EntityType } from '@waybill/contracts/configuration/entity-type';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { z } from 'zod';
import { actorLists, nameKey, platformLists } from '../sources/lists-of-kinds.ts';

/** Whether an object could exist that is not known: any of its kind without a name; of any actor without an actor. */
export type MayExist = (entityType: EntityType, named?: HiddenName) => boolean;

interface HiddenName {
  readonly name?: string | undefined;
  readonly actor?: string | undefined;
}

/** Objects of which not more than the name is known, or not even that. */
export interface HiddenNames {
  readonly mayExist: MayExist;
  /** An object with errors, as it is written. What has no name could have any; without an actor it could belong to any. */
  hideObject(entityType: EntityType, object: unknown, of?: Pick<HiddenName, 'actor'>): void;
  /** Objects with any names. */
  hideAll(entityType: EntityType, of?: Pick<HiddenName, 'actor'>): void;
  /** Any actors, with anything. */
  hideActors(): void;
}

const name = z.string().normalize('NFC');
const objectSchema = z
  .object({ name: name.optional().catch(undefined), groups: z.array(name).optional().catch(undefined) })
  .catch({});

/** No hidden objects at first. */
export function createHiddenNames(): HiddenNames {
  const hidden = new Set<string>();
  /** Each is found with and without its actor, and by its kind alone. */
  const hide = (entityType: EntityType, named: HiddenName): void => {
    const [name, actor] = [named.name ?? any, named.actor ?? any];
    for (const key of [keyOf(entityType, name, actor), keyOf(entityType, name), keyOf(entityType)]) hidden.add(key);
  };
  const mayExist: MayExist = (entityType, { name, actor } = {}) => {
    if (name === undefined) return hidden.has(keyOf(entityType));
    const names = [name.normalize('NFC'), any];
    const actors = actor === undefined ? [undefined] : [actor, any];
    return names.some((one) => actors.some((of) => hidden.has(keyOf(entityType, one, of))));
  };
  const hideAll: HiddenNames['hideAll'] = (entityType, { actor } = {}) => {
    hide(entityType, { actor });
    // The groups that users are in are groups, too.
    if (entityType === 'External User') hide('Group', { actor });
  };
  return {
    mayExist,
    hideAll,
    hideActors: () => {
      for (const entityType of ['Actor', ...actorLists.keys()] as const) hideAll(entityType);
    },
    hideObject: (entityType, object, { actor } = {}) => {
      const { name, groups } = objectSchema.parse(object);
      hide(entityType, { name, actor });
      if (entityType !== 'External User') return;
      for (const group of groups ?? [undefined]) hide('Group', { name: group, actor });
    },
  };
}

/** What may be on a platform besides a part of its configuration: everything that the part does not have itself. */
export function absentFrom(part: PlatformConfiguration): MayExist {
  const own = new Set([
    ...[...platformLists].flatMap(([kind, list]) => part[list].map(({ name }) => nameKey(kind, name, undefined))),
    ...part.actors.flatMap((actor) => [
      ...(actor.type === undefined ? [] : [nameKey('Actor', actor.name, undefined)]),
      ...[...actorLists].flatMap(([kind, list]) => actor[list].map(({ name }) => nameKey(kind, name, actor.name))),
    ]),
  ]);
  return (entityType, { name, actor } = {}) => name === undefined || !own.has(nameKey(entityType, name, actor));
}

/** No name and no actor is an object. */
const any = {};

function keyOf(entityType: EntityType, name?: string | object, actor?: string | object): string {
  return JSON.stringify([entityType, name ?? null, actor ?? null]);
}
