import { z } from 'zod';
import type { EntityType } from '../../configuration/entity-type.ts';
import type { Permission } from '../../roles/permissions.ts';
import { plainNameSchema } from '../../values/configured-names.ts';
import { type MergePatch, mergePatchSchema } from '../merge-patch-schema.ts';

/** A setting that a list of objects is filtered by. */
export interface ListFilter {
  /** The query parameter. */
  readonly name: string;
  /** Where the setting is in an object: `clauses[].vfs` is that of any clause. */
  readonly setting: string;
  /** Other settings, any of which may have the value instead. */
  readonly or?: readonly string[];
}

/** A time that the platform notes of objects while they are used: no setting, and never part of a configuration. */
export interface NotedTime {
  /** Its member of objects in responses. */
  readonly name: 'lastLoginAt';
  readonly description: string;
  /** The query parameter that lists the objects whose time is earlier or absent. */
  readonly before: string;
}

/** A kind of objects that administrators read and write. */
export interface AdministeredResource {
  /** In ids of operations and schemas: `VirtualFileSystem`. */
  readonly id: string;
  readonly entityType: EntityType;
  /** The last part of the address: `virtual-file-systems`. */
  readonly collection: string;
  /** In sentences, in the singular and in the plural. */
  readonly titles: readonly [one: string, many: string];
  /** Its settings, as in the configuration file. */
  readonly schema: z.ZodType;
  /** The settings of objects in responses, where they may be others than in requests: what is built in is shown, too. */
  readonly shown?: z.ZodType;
  /** The resource of the permissions that its endpoints demand; default: `configuration`. */
  readonly permissions?: 'configuration' | 'identities';
  /** That of the permissions to write and delete, if it is another one. */
  readonly changePermissions?: 'identities';
  /** Whether its objects belong to an actor: all, some or none. */
  readonly ofActor: 'all' | 'some' | 'none';
  /** What its list is filtered by, besides name, actor and owner. */
  readonly filters?: readonly ListFilter[];
  /** The settings with one value that its list is sorted by, besides the name. */
  readonly sorts?: readonly string[];
  /** What is noted of its objects. The list can be sorted by it. */
  readonly times?: readonly NotedTime[];
}

/** What is demanded of those who read, write or delete objects of a kind. */
export function permissionOn(
  { permissions = 'configuration', changePermissions }: AdministeredResource,
  verb: 'read' | 'write' | 'delete',
): Permission {
  return verb === 'read' ? `${permissions}:read` : `${changePermissions ?? permissions}:${verb}`;
}

/** Whether roles that are limited to actors reach some of the objects: what belongs to these actors, and the actors themselves. */
export function isOfActors({ ofActor, entityType }: AdministeredResource): boolean {
  return ofActor !== 'none' || entityType === 'Actor';
}

/** The actor of an object. */
export const actor = plainNameSchema.describe('The actor that it belongs to').meta({ example: 'acme' });

/** The settings of an object: those of the configuration file, and the actor. The name may be left out where the address has it. */
export function settingsSchema(resource: AdministeredResource): z.ZodType {
  return extended(resource.schema, settingsShape(resource), []);
}

type ActorMember<A extends AdministeredResource['ofActor']> = A extends 'all'
  ? { readonly actor: string }
  : A extends 'some'
    ? { readonly actor?: string | undefined }
    : unknown;

/** What the platform notes of objects of a kind. */
type NotedMembers<R extends AdministeredResource> = R extends { readonly times: readonly (infer T extends NotedTime)[] }
  ? { readonly [N in T['name']]?: string | undefined }
  : unknown;

/** Settings whose name may be left out where the address has it, and the owner. Unknown if they are not known. */
export type RequestedSettings<T> = unknown extends T
  ? unknown
  : T extends unknown
    ? Omit<T, 'name'> & { readonly [K in keyof T & 'name']?: T[K] | undefined } & {
        readonly source?: string | null | undefined;
      }
    : never;

/** The settings of an object of this kind in a request. */
export type ResourceSettings<R extends AdministeredResource> = ActorMember<R['ofActor']> &
  NotedMembers<R> &
  RequestedSettings<z.input<R['schema']>>;

/**
 * The schema of the settings in a request. Objects can be sent back as they were read: the owner has to be the one that they have, and what
 * the platform notes of them, which changes by itself, is ignored.
 */
export function requestedSettingsSchema<R extends AdministeredResource>(
  resource: R,
): z.ZodType<unknown, ResourceSettings<R>>;
/** The same for a kind that is known at run time only. */
export function requestedSettingsSchema(resource: AdministeredResource): z.ZodType {
  const shape = { ...settingsShape(resource), source: ownerSchema.optional(), ...timesShape(resource) };
  return extended(resource.schema, shape, []).meta({ id: `${resource.id}Settings` });
}

function settingsShape({ schema, ofActor }: AdministeredResource): z.ZodRawShape {
  const owner = { all: { actor }, some: { actor: actor.optional() }, none: {} }[ofActor];
  return { name: plainOrNot(schema).optional(), ...owner };
}

/** What is noted of objects, in their responses. */
function timesShape({ times = [] }: Pick<AdministeredResource, 'times'>): z.ZodRawShape {
  return Object.fromEntries(
    times.map(({ name, description }) => [
      name,
      z.iso
        .datetime()
        .optional()
        .describe(`${description} Noted by the platform, and ignored in requests`)
        .meta({ example: '2026-03-03T06:30:00.000Z', readOnly: true }),
    ]),
  );
}

/** The members of a body: the owner that it states, and its settings, without what the platform notes. */
export function statedSettings(
  { times = [] }: AdministeredResource,
  { source, ...members }: Readonly<Record<string, unknown>>,
): { readonly source: unknown; readonly settings: Readonly<Record<string, unknown>> } {
  const names: ReadonlySet<string> = new Set(times.map(({ name }) => name));
  return { source, settings: Object.fromEntries(Object.entries(members).filter(([name]) => !names.has(name))) };
}

/** The owner of an object. */
export const ownerSchema = z
  .string()
  .nullable()
  .describe(
    'The configuration source that owns it, and whose file changes it; null: the API; `built-in`: the platform itself, and nothing changes it. ' +
      'A request that has it has to have the present one: only `configuration/adopt` and `configuration/release` change it',
  )
  .meta({ example: 'default', readOnly: true });

/** An object in a response: its settings with their defaults and without passwords, its actor and its owner. */
export function objectSchema({ id, schema, ofActor, ...resource }: AdministeredResource): z.ZodType {
  const owner = { ...(ofActor === 'none' ? {} : { actor: actor.optional() }), source: ownerSchema };
  const shape = { ...owner, ...timesShape(resource) };
  return extended(resource.shown ?? schema, shape, ['password']).meta({ id });
}

/** The name of an object of this kind. */
export function plainOrNot(schema: z.ZodType): z.ZodType {
  const [first] = objectsIn(schema);
  const name: unknown = first?.shape['name'];
  return name instanceof z.ZodType ? name : plainNameSchema;
}

/** A schema of settings with more members, and without some. */
export function extended(schema: z.ZodType, shape: z.ZodRawShape, left: readonly string[]): z.ZodType {
  const options = objectsIn(schema).map((option) => without(option, left).safeExtend(shape));
  const [first, ...others] = options;
  if (first === undefined) throw new Error('settings are an object or one of several');
  return others.length === 0 ? first : z.discriminatedUnion('type', [first, ...others]);
}

function without(object: z.ZodObject, left: readonly string[]): z.ZodObject {
  if (!left.some((name) => name in object.shape)) return object;
  return z.strictObject(Object.fromEntries(Object.entries(object.shape).filter(([name]) => !left.includes(name))));
}

/** The object, or those of a union. */
export function objectsIn(schema: z.ZodType): z.ZodObject[] {
  if (schema instanceof z.ZodObject) return [schema];
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return [];
  return schema.options.flatMap((option) => (option instanceof z.ZodType ? objectsIn(option) : []));
}

/** What a patch may have, and cannot remove. */
const keptMembers = ['name', 'actor', 'password'] as const;

type KeptMember = (typeof keptMembers)[number];

/** A JSON merge patch of settings with these members; any members, if they are not known. */
export type SettingsPatch<T> = unknown extends T
  ? Readonly<Record<string, unknown>>
  : T extends unknown
    ? MergePatch<Omit<T, KeptMember>> & { readonly [K in keyof T & KeptMember]?: T[K] } & {
        readonly source?: string | null | undefined;
      }
    : never;

type ActorPatch<A extends AdministeredResource['ofActor']> = A extends 'none'
  ? unknown
  : { readonly actor?: string | undefined };

/** A JSON merge patch of an object of this kind. */
export type ResourcePatch<R extends AdministeredResource> = ActorPatch<R['ofActor']> &
  SettingsPatch<z.input<R['schema']>>;

/** The schema of JSON merge patches of an object. */
export function patchSchema<R extends AdministeredResource>(resource: R): z.ZodType<unknown, ResourcePatch<R>>;
/** The same for a kind that is known at run time only. */
export function patchSchema(resource: AdministeredResource): z.ZodType {
  return mergePatchSchema(requestedSettingsSchema(resource), new Set(keptMembers)).meta({ id: `${resource.id}Patch` });
}
