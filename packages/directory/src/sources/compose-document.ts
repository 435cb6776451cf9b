import { isDeepStrictEqual } from 'node:util';
import { actorLists, platformLists } from './lists-of-kinds.ts';
import type { StoredEntity } from './stored-entities.ts';

/** Settings that are left out if they have these values, which are their defaults. */
const defaults: Readonly<Record<string, unknown>> = { description: '', publicKeys: [], groups: [], folders: [] };

type ActorEntry = Record<string, unknown>;

/**
 * The document that describes entities of one owner, in the form of a configuration file. An actor of another owner has an
 * entry without a type.
 * @param withPassword partner users whose password is configured: it is written as one that is kept
 */
export function composeDocument(
  entities: readonly StoredEntity[],
  withPassword: ReadonlySet<string>,
): Record<string, unknown> {
  const document: Record<string, unknown> = {};
  const actors = new Map<string, ActorEntry>();
  for (const entity of entities) {
    const { entityType, name } = entity;
    const { actor, ...settings } = settingsOf(entity, withPassword);
    if (entityType === 'Actor') Object.assign(entryOf(actors, name), settings);
    else if (typeof actor === 'string') append(entryOf(actors, actor), actorLists.get(entityType), settings);
    else append(document, platformLists.get(entityType), settings);
  }
  return actors.size === 0 ? document : { ...document, actors: [...actors.values()] };
}

function settingsOf({ entityType, name, definition }: StoredEntity, withPassword: ReadonlySet<string>) {
  const { name: _name, ...others } = definition;
  const settings = Object.entries(others).filter(([setting, value]) => !isDeepStrictEqual(value, defaults[setting]));
  const keeps = entityType === 'External User' && withPassword.has(name);
  return { name, ...Object.fromEntries(settings), ...(keeps && { password: { keep: true } }) } as Record<
    string,
    unknown
  >;
}

function entryOf(actors: Map<string, ActorEntry>, name: string): ActorEntry {
  const entry = actors.get(name) ?? { name };
  actors.set(name, entry);
  return entry;
}

function append(holder: Record<string, unknown>, list: string | undefined, settings: object): void {
  if (list === undefined) throw new Error('an entity of a kind without a list');
  const items = holder[list];
  if (Array.isArray(items)) items.push(settings);
  else holder[list] = [settings];
}
