import { ownerTitle } from '@waybill/contracts/configuration/configuration-source';
import { type EntityType, isIdentity } from '@waybill/contracts/configuration/entity-type';
import {
  type ActorConfiguration,
  actorSchema,
  type PlatformConfiguration,
  platformConfigurationSchema,
} from '@waybill/contracts/configuration/platform-configuration';
import { administeredResources } from '@waybill/contracts/endpoints/administration/resource-table';
import type { FieldError } from '@waybill/contracts/errors/coded-error';
import type { z } from 'zod';
import { isNamedInActor } from './entity-target.ts';
import { actorLists, nameKey, platformLists, settingsOfActor } from './lists-of-kinds.ts';
import type { StoredEntity } from './stored-entities.ts';

/** The configuration of a source together with what others own, so that references between them can be checked. */
export interface ConfigurationWithOthers {
  /** In each list, the entities of the source come first: their places are those of its file. */
  readonly document: Readonly<Record<string, unknown>>;
  /** The document, if what others own has the right structure, too. */
  readonly configuration: PlatformConfiguration | undefined;
  /** Names of the source that others have already. */
  readonly conflicts: readonly FieldError[];
  /** A fault in what others own, with the name of the entity instead of a place, as far as it may be named. */
  explain(fault: FieldError, mayName?: MayName): FieldError;
}

/** An actor of the document: its own settings, and its lists by name. */
interface ActorEntry {
  readonly place: string;
  readonly settings: Record<string, unknown>;
  readonly lists: Map<string, unknown[]>;
}

/** Whether errors may name an entity to somebody. */
export type MayName = (entity: Pick<StoredEntity, 'entityType' | 'name' | 'definition'>) => boolean;

/** For whom what others own is described. */
export interface DescribedFor {
  /** By default everything is named. */
  readonly mayName?: MayName | undefined;
}

/** What an error calls an entity that it may not name. */
export function unnamed({ entityType }: Pick<StoredEntity, 'entityType'>): string {
  return isIdentity(entityType) ? 'A manager user or role' : 'An object that you may not see';
}

/** Puts the configuration of a source and the entities of others together. */
export function withOthers(
  configuration: PlatformConfiguration,
  others: readonly StoredEntity[],
): ConfigurationWithOthers {
  const merge = new Merge(configuration);
  for (const entity of others) merge.add(entity);
  return {
    document: merge.document,
    configuration: merge.configuration,
    conflicts: merge.conflicts,
    explain: (fault, mayName) => merge.explain(fault, mayName),
  };
}

class Merge {
  readonly conflicts: FieldError[] = [];
  readonly #configuration: PlatformConfiguration;
  readonly #lists = new Map<string, unknown[]>();
  readonly #entries: ActorEntry[] = [];
  /** The first entry of each name. */
  readonly #actors = new Map<string, ActorEntry>();
  /** Places of the names that the source gives. */
  readonly #names = new Map<string, string>();
  /** What others own, by its place in the document. */
  readonly #others = new Map<string, StoredEntity>();
  #isParsed = true;

  constructor(configuration: PlatformConfiguration) {
    this.#configuration = configuration;
    for (const [entityType, list] of platformLists) {
      this.#lists.set(list, this.#noted(entityType, configuration[list], list));
    }
    for (const actor of configuration.actors) this.#addOwn(actor);
  }

  get document(): Record<string, unknown> {
    const actors = this.#entries.map(({ settings, lists }) => ({ ...settings, ...Object.fromEntries(lists) }));
    return { ...this.#configuration, ...Object.fromEntries(this.#lists), actors };
  }

  /** Its parts were parsed: those of the source before, the others one by one. To parse it as a whole would take twice as long. */
  get configuration(): PlatformConfiguration | undefined {
    return this.#isParsed ? (this.document as PlatformConfiguration) : undefined;
  }

  add(entity: StoredEntity): void {
    const { entityType, name, source, file, definition } = entity;
    const { actor, ...written } = definition;
    const settings = this.#parsed(schemaOf(entityType, typeof actor === 'string'), written);
    const taken = this.#names.get(nameKey(entityType, name, actor));
    if (taken !== undefined) {
      this.conflicts.push({
        field: `${taken}.name`,
        message: `${entityType} ${name} belongs to ${ownerTitle(source, file ?? '')}${this.#remedyFor(entity)}`,
      });
    } else if (entityType === 'Actor') {
      this.#addActor(name, settings, entity);
    } else if (typeof actor === 'string') {
      const { lists, place } = this.#actors.get(actor) ?? this.#addUnknownActor(actor, entity);
      const list = actorLists.get(entityType) ?? '';
      this.#append(lists, list, { place: `${place}.${list}`, entity, settings });
    } else {
      const list = platformLists.get(entityType) ?? '';
      this.#append(this.#lists, list, { place: list, entity, settings });
    }
  }

  explain({ field, message, ...more }: FieldError, mayName: MayName = () => true): FieldError {
    const titleOf = (entity: StoredEntity | undefined) =>
      entity && (mayName(entity) ? titleOfEntity(entity) : lowerFirst(unnamed(entity)));
    const other = this.#otherAt(field);
    // Messages name places, too: "has VFS a at / already, by actors[0].connectionContracts[1].clauses[0]".
    const explained = message.replaceAll(
      /\bactors\[\d+\][\w.[\]]*/gu,
      (place) => titleOf(this.#otherAt(place)) ?? place,
    );
    if (!other) return { field, message: explained, ...more };
    if (!mayName(other)) return { field: '', message: `${unnamed(other)} would be in error` };
    return { field: '', message: `${titleOfEntity(other)}: ${explained}` };
  }

  /** How what the API owns can be in the file. */
  #remedyFor({ entityType, name, source, definition: { actor } }: StoredEntity): string {
    const collection = administeredResources.find((resource) => resource.entityType === entityType)?.collection;
    if (source !== null || collection === undefined) return '';
    const ofActor = isNamedInActor(entityType) && typeof actor === 'string' ? ['--actor', inShell(actor)] : [];
    const words = ['waybill adopt', collection, inShell(name), ...ofActor, '--source', this.#configuration.source];
    return `: leave it out, or adopt it first with \`${words.join(' ')}\``;
  }

  #otherAt(place: string): StoredEntity | undefined {
    const [, ofActor = '', ofPlatform = ''] = /^((\w+\[\d+\])(?:\.\w+\[\d+\])?)/u.exec(place) ?? [];
    return this.#others.get(ofActor) ?? this.#others.get(ofPlatform);
  }

  #addOwn(actor: ActorConfiguration): void {
    const place = `actors[${this.#entries.length}]`;
    const { name, type } = actor;
    if (type !== undefined) this.#names.set(nameKey('Actor', name, undefined), place);
    const lists = new Map(
      [...actorLists].map(([entityType, list]) => [
        list,
        this.#noted(entityType, actor[list], `${place}.${list}`, name),
      ]),
    );
    this.#enter(name, { place, settings: settingsOfActor(actor), lists });
  }

  /** The actor of another owner; an entry of the source that adds to it is completed. */
  #addActor(name: string, settings: Record<string, unknown>, entity: StoredEntity): ActorEntry {
    const known = this.#actors.get(name);
    if (known) {
      Object.assign(known.settings, settings);
      return known;
    }
    const entry = { place: `actors[${this.#entries.length}]`, settings: { ...settings }, lists: new Map() };
    this.#enter(name, entry);
    this.#others.set(entry.place, entity);
    return entry;
  }

  /** An actor that exists nowhere. */
  #addUnknownActor(name: string, entity: StoredEntity): ActorEntry {
    return this.#addActor(name, this.#parsed(actorSchema, { name }), entity);
  }

  #parsed(schema: SettingsSchema, written: object): Record<string, unknown> {
    const { data } = schema.safeParse(written);
    if (data) return data;
    this.#isParsed = false;
    return { ...written };
  }

  #enter(name: string, entry: ActorEntry): void {
    this.#entries.push(entry);
    if (!this.#actors.has(name)) this.#actors.set(name, entry);
  }

  #append(
    lists: Map<string, unknown[]>,
    name: string,
    { place, entity, settings }: { place: string; entity: StoredEntity; settings: object },
  ): void {
    const list = lists.get(name) ?? [];
    this.#others.set(`${place}[${list.length}]`, entity);
    list.push(settings);
    lists.set(name, list);
  }

  /** A copy of a list of the source, whose names are noted. */
  #noted(entityType: EntityType, items: readonly { readonly name: string }[], list: string, actor?: string): unknown[] {
    for (const [index, { name }] of items.entries()) {
      this.#names.set(nameKey(entityType, name, actor), `${list}[${index}]`);
    }
    return [...items];
  }
}

type SettingsSchema = z.ZodType<Record<string, unknown>>;

/** The schema of the settings of an entity, without its actor. */
function schemaOf(entityType: EntityType, isOfActor: boolean): SettingsSchema {
  if (entityType === 'Actor') return actorSchema;
  const ofActor = isOfActor ? actorLists.get(entityType) : undefined;
  if (ofActor !== undefined) return actorSchema.shape[ofActor].unwrap().element;
  const ofPlatform = platformLists.get(entityType);
  if (ofPlatform === undefined) throw new Error(`a configuration has no list of ${entityType}`);
  return platformConfigurationSchema.shape[ofPlatform].unwrap().element;
}

/** An entity as errors name it. */
export function titleOfEntity({ entityType, name, source }: StoredEntity): string {
  return `${entityType} ${name} of ${ownerTitle(source)}`;
}

/** A word for a shell. */
function inShell(word: string): string {
  return /^[\w.:@-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
