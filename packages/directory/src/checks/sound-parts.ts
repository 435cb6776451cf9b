import type { EntityType } from '@waybill/contracts/configuration/entity-type';
import {
  type PlatformConfiguration,
  platformConfigurationSchema,
} from '@waybill/contracts/configuration/platform-configuration';
import type { FieldError } from '@waybill/contracts/errors/coded-error';
import { nearestName } from '@waybill/contracts/errors/nearest-name';
import { z } from 'zod';
import { actorLists, platformLists } from '../sources/lists-of-kinds.ts';
import { createHiddenNames, type MayExist } from './hidden-names.ts';

/** The objects of a document with errors of shape that have none themselves: their references can be checked. */
export interface SoundParts {
  /** As it is written. */
  readonly document: unknown;
  readonly configuration: PlatformConfiguration;
  /** The same fault, with the places of the document instead of those of the configuration. */
  placed(fault: FieldError): FieldError;
  /** Whether an object with errors could be the one that is named. */
  readonly mayExist: MayExist;
}

type Path = readonly PropertyKey[];

const kindsOfPlatform = new Map<PropertyKey, EntityType>([...platformLists].map(([kind, list]) => [list, kind]));
const kindsOfActors = new Map<PropertyKey, EntityType>([...actorLists].map(([kind, list]) => [list, kind]));

/**
 * Leaves out the objects with errors, which are at `paths`. `undefined` if nothing can be said of the others: for example if the
 * source is wrong.
 */
export function findSoundParts(document: unknown, paths: readonly Path[]): SoundParts | undefined {
  const root = membersSchema.safeParse(document).data;
  if (!root || paths.some(([member]) => member === undefined || member === 'source')) return undefined;
  const sieve = new Sieve(root);
  for (const path of paths) sieve.leaveOut(path);
  const { data: configuration } = platformConfigurationSchema.safeParse(sieve.rest());
  if (!configuration) return undefined;
  return { document, configuration, placed: (fault) => sieve.placed(fault), mayExist: sieve.hidden.mayExist };
}

const membersSchema = z.record(z.string(), z.unknown());
const listSchema = z.array(z.unknown()).catch([]);

/** A list without the objects that are left out; what it has kept is known by its former positions. */
interface SievedList {
  readonly kept: unknown[];
  readonly positions: number[];
}

class Sieve {
  readonly hidden = createHiddenNames();
  readonly #root: Readonly<Record<string, unknown>>;
  /** Places that are left out, such as `manager`, `actors[0].users[1]` and `actors[0].accountPolicy`. */
  readonly #left = new Set<string>();
  /** The positions that each list had, by its place in the rest. */
  readonly #positions = new Map<string, readonly number[]>();

  constructor(root: Readonly<Record<string, unknown>>) {
    this.#root = root;
  }

  leaveOut([member, index, ...inside]: Path): void {
    const list = String(member);
    if (typeof index !== 'number') return this.#leaveOutMember(list);
    if (list === 'actors') return this.#leaveOutOfActor(index, inside);
    const kind = kindsOfPlatform.get(list);
    this.#left.add(`${list}[${index}]`);
    if (kind) this.hidden.hideObject(kind, itemOf(this.#root[list], index));
  }

  rest(): Record<string, unknown> {
    const rest = this.#without(this.#root, '');
    for (const list of [...kindsOfPlatform.keys()].map(String)) {
      if (list in rest) rest[list] = this.#sieved(rest[list], list, list).kept;
    }
    const { kept, positions } = this.#sieved(rest['actors'], 'actors', 'actors');
    return { ...rest, actors: kept.map((actor, to) => this.#restOf(actor, positions[to] ?? 0, to)) };
  }

  placed({ field, message, ...more }: FieldError): FieldError {
    const places = /\b([a-z]\w*)\[(\d+)\](?:\.(\w+)\[(\d+)\])?/giu;
    const restored = (text: string) =>
      text.replaceAll(places, (place: string, list: string, at: string, inner?: string, innerAt?: string) => {
        const [from, innerFrom] = [this.#positions.get(list)?.[Number(at)], `${list}[${at}].${inner}`];
        if (from === undefined) return place;
        if (inner === undefined) return `${list}[${from}]`;
        return `${list}[${from}].${inner}[${this.#positions.get(innerFrom)?.[Number(innerAt)] ?? innerAt}]`;
      });
    return { field: restored(field), message: restored(message), ...more };
  }

  #leaveOutMember(member: string): void {
    this.#left.add(member);
    if (member === 'actors') return this.hidden.hideActors();
    const kind = kindsOfPlatform.get(member);
    if (kind) return this.hidden.hideAll(kind);
    if (!isContainer(this.#root[member])) return;
    const meant = nearestName(member, [...kindsOfPlatform.keys(), 'actors'].map(String));
    if (meant === 'actors') return this.hidden.hideActors();
    for (const one of meantBy(meant, kindsOfPlatform)) this.hidden.hideAll(one);
  }

  #leaveOutOfActor(index: number, [member, position]: Path): void {
    const place = `actors[${index}]`;
    const actor = membersSchema.safeParse(itemOf(this.#root['actors'], index)).data;
    const name = nameOf(actor);
    const kind = member === undefined ? undefined : kindsOfActors.get(member);
    if (kind && typeof position === 'number') {
      this.#left.add(`${place}.${String(member)}[${position}]`);
      return this.hidden.hideObject(kind, itemOf(actor?.[String(member)], position), { actor: name });
    }
    this.#left.add(member === undefined || member === 'name' ? place : `${place}.${String(member)}`);
    if (kind) return this.hidden.hideAll(kind, { actor: name });
    this.hidden.hideObject('Actor', actor);
    if (member === 'name' && actor) this.#hideContent(actor, name);
    if (!isContainer(actor?.[String(member)])) return;
    const meant = nearestName(String(member), [...kindsOfActors.keys()].map(String));
    for (const one of meantBy(meant, kindsOfActors)) this.hidden.hideAll(one, { actor: name });
  }

  /** What belongs to an actor that is left out as a whole. */
  #hideContent(actor: Readonly<Record<string, unknown>>, name: string | undefined): void {
    for (const [list, kind] of kindsOfActors) {
      for (const item of listSchema.parse(actor[String(list)])) this.hidden.hideObject(kind, item, { actor: name });
    }
  }

  #restOf(actor: unknown, from: number, to: number): Record<string, unknown> {
    const place = `actors[${from}]`;
    const rest = this.#without(membersSchema.catch({}).parse(actor), `${place}.`);
    for (const list of [...kindsOfActors.keys()].map(String)) {
      if (list in rest) rest[list] = this.#sieved(rest[list], `${place}.${list}`, `actors[${to}].${list}`).kept;
    }
    return rest;
  }

  #without(members: Readonly<Record<string, unknown>>, prefix: string): Record<string, unknown> {
    return Object.fromEntries(Object.entries(members).filter(([member]) => !this.#left.has(`${prefix}${member}`)));
  }

  #sieved(items: unknown, place: string, placeInRest: string): SievedList {
    const sieved: SievedList = { kept: [], positions: [] };
    for (const [index, item] of listSchema.parse(items).entries()) {
      if (this.#left.has(`${place}[${index}]`)) continue;
      sieved.kept.push(item);
      sieved.positions.push(index);
    }
    this.#positions.set(placeInRest, sieved.positions);
    return sieved;
  }
}

/** The kinds that a list with an unknown name may have: those of the nearest known name, or all. */
function meantBy(meant: string | undefined, kinds: ReadonlyMap<PropertyKey, EntityType>): EntityType[] {
  const kind = meant === undefined ? undefined : kinds.get(meant);
  return kind ? [kind] : [...kinds.values()];
}

function itemOf(list: unknown, index: number): unknown {
  return listSchema.parse(list)[index];
}

function nameOf(value: Readonly<Record<string, unknown>> | undefined): string | undefined {
  return typeof value?.['name'] === 'string' ? value['name'] : undefined;
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
