import type { z } from 'zod';
import { expectationSchema } from '../../configuration/expectation.ts';
import { serverSchema } from '../../configuration/storage-configuration.ts';
import { configuredNameSchema } from '../../values/configured-names.ts';
import { mergePatchSchema } from '../merge-patch-schema.ts';
import { administeredResources } from './resource-table.ts';
import {
  actor,
  type AdministeredResource,
  extended,
  type ListFilter,
  ownerSchema,
  plainOrNot,
  type RequestedSettings,
  type SettingsPatch,
} from './resource.ts';

/**
 * A kind of parts of objects that administrators read and write one by one. A part belongs to the owner of its object, and a
 * change of it is a change of the object.
 */
export interface AdministeredPart {
  /** In ids of operations and schemas: `ClusterServer`. */
  readonly id: string;
  /** The last part of the address: `servers`. */
  readonly collection: string;
  /** In sentences, in the singular and in the plural. */
  readonly titles: readonly [one: string, many: string];
  /** Its settings, as in the configuration file; `name` is unique in its object. */
  readonly schema: z.ZodType;
  /** The collection of the objects that have such parts. */
  readonly of: string;
  /** Names the object, in the query and in bodies: `cluster`. */
  readonly member: string;
  /** The setting of the object that lists its parts. */
  readonly setting: string;
  /** Whether an object may have none: then the setting is absent. */
  readonly isOptional: boolean;
  /** What its list is filtered by, besides name, object, actor and owner. */
  readonly filters?: readonly ListFilter[];
}

/** The parts of objects that have addresses of their own, by their collections. */
export const parts = {
  servers: {
    id: 'ClusterServer',
    collection: 'servers',
    titles: ['server of a cluster', 'servers of clusters'],
    schema: serverSchema,
    of: 'clusters',
    member: 'cluster',
    setting: 'servers',
    isOptional: false,
    filters: [{ name: 'protocol', setting: 'protocol' }],
  },
  expectations: {
    id: 'ContractExpectation',
    collection: 'expectations',
    titles: ['expectation of a contract', 'expectations of contracts'],
    schema: expectationSchema,
    of: 'contracts',
    member: 'contract',
    setting: 'expectations',
    isOptional: true,
    filters: [{ name: 'vfs', setting: 'vfs' }],
  },
} as const satisfies Readonly<Record<string, AdministeredPart>>;

/** The same as a list. */
export const administeredParts: readonly AdministeredPart[] = Object.values(parts);

/** The kind of the objects that have such parts. */
export function resourceOf({ of }: AdministeredPart): AdministeredResource {
  const resource = administeredResources.find(({ collection }) => collection === of);
  if (resource === undefined) throw new Error(`no collection ${of}`);
  return resource;
}

/** The object of a part, by name. */
export function parentShape(part: AdministeredPart): z.ZodRawShape {
  const [one] = resourceOf(part).titles;
  return {
    [part.member]: configuredNameSchema.describe(`Name of the ${one} that it is part of`).meta({ example: one }),
  };
}

/** The settings of a part of this kind in a request, and the name of the object. */
export type PartSettings<P extends AdministeredPart> =
  unknown extends z.input<P['schema']>
    ? unknown
    : RequestedSettings<z.input<P['schema']>> & { readonly [M in P['member']]: string } & {
        readonly actor?: string | undefined;
      };

/**
 * The schema of the settings in a request, and of the name of the object. The name may be left out where the address has it. Parts can be
 * sent back as they were read: their actor and their owner are those of the object.
 */
export function partSettingsSchema<P extends AdministeredPart>(part: P): z.ZodType<unknown, PartSettings<P>>;
/** The same for a kind that is known at run time only. */
export function partSettingsSchema(part: AdministeredPart): z.ZodType {
  const name = plainOrNot(part.schema).optional();
  const shape = { name, ...parentShape(part), ...actorShape(part), source: ownerSchema.optional() };
  return extended(part.schema, shape, []).meta({ id: `${part.id}Settings` });
}

/** A JSON merge patch of a part of this kind. */
export type PartPatch<P extends AdministeredPart> =
  unknown extends z.input<P['schema']>
    ? Readonly<Record<string, unknown>>
    : SettingsPatch<z.input<P['schema']>> & { readonly [M in P['member'] | 'actor']?: string | undefined };

/** The schema of JSON merge patches of a part. */
export function partPatchSchema<P extends AdministeredPart>(part: P): z.ZodType<unknown, PartPatch<P>>;
/** The same for a kind that is known at run time only. */
export function partPatchSchema(part: AdministeredPart): z.ZodType {
  return mergePatchSchema(partSettingsSchema(part), new Set(['name', 'actor'])).meta({ id: `${part.id}Patch` });
}

/** A part in a response: its settings with their defaults, its object, and the owner of that. */
export function partSchema(part: AdministeredPart): z.ZodType {
  return extended(part.schema, { ...parentShape(part), ...actorShape(part), source: ownerSchema }, []).meta({
    id: part.id,
  });
}

/** The actor of the object, which is the same for all its parts. */
function actorShape(part: AdministeredPart): z.ZodRawShape {
  if (resourceOf(part).ofActor === 'none') return {};
  return { actor: actor.optional().meta({ example: 'acme', readOnly: true }) };
}
