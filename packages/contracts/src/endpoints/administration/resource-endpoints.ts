import { z } from 'zod';
import { configuredNameSchema, plainNameSchema } from '../../values/configured-names.ts';
import { digitsAsNumber } from '../../values/digits-as-number.ts';
import { soundTextSchema } from '../../values/sound-text.ts';
import { defineEndpoint, type EndpointContract } from '../endpoint.ts';
import { administeredResources } from './resource-table.ts';
import { type AdministeredResource, objectSchema, settingsSchema } from './resource.ts';

const prefix = '/platform-application/api/v1';
const tag = 'Configuration';

const nameSchema = z.object({
  name: configuredNameSchema.describe('Its name; a slash is written `%2F`').meta({ example: 'acme' }),
});

const scopeSchema = z.strictObject({
  actor: plainNameSchema
    .optional()
    .describe('The actor that it belongs to; needed for Connection Contracts, whose names are unique in their actor')
    .meta({ example: 'acme' }),
});

const conditionsSchema = z.object({
  'if-match': z.string().max(2_000).optional().describe('Refuse unless its `ETag` is one of these, or it exists (`*`)'),
  'if-none-match': z.literal('*').optional().describe('Refuse if it exists'),
});

const listSchema = z.strictObject({
  maxItems: z
    .preprocess(digitsAsNumber, z.int().min(1).max(1_000))
    .default(100)
    .describe('Objects on one page; 100 by default')
    .meta({ example: 100 }),
  sort: z.enum(['name', '+name', ' name', '-name']).default('name').describe('By name, ascending or descending'),
  name: soundTextSchema.max(128).optional().describe('Only this name; `*` matches any sequence'),
  actor: plainNameSchema.optional().describe('Only those of this actor'),
  source: z.string().max(128).optional().describe('Only those of this configuration source; empty: of the API'),
  cursor: z.string().max(2_048).optional().describe('Start of the page; part of a `next` link, opaque to callers'),
});

/** The filters and the order of a list of objects. */
export type ObjectListQuery = z.infer<typeof listSchema>;

const etag = z.object({ etag: z.string().describe('Its version, for `If-Match`').meta({ example: '"3q2-7wXJ"' }) });

/** Who may do what: a role that is limited to actors reaches what belongs to them, and the actors themselves. */
function permissionsOf({ permissions = 'configuration', ofActor, entityType }: AdministeredResource) {
  const hasActors = ofActor !== 'none' || entityType === 'Actor';
  const demand = (verb: 'read' | 'write' | 'delete') =>
    ({ kind: 'bearer', permission: `${permissions}:${verb}`, ofActor: hasActors }) as const;
  return { reading: demand('read'), writing: demand('write'), deleting: demand('delete') };
}

/** `StorageClass` becomes `StorageClasses`; a name that is a plural already stays. */
function pluralOf(id: string): string {
  if (id.endsWith('ss')) return `${id}es`;
  return id.endsWith('s') ? id : `${id.replace(/(?<=[^aeiou])y$/u, 'ie')}s`;
}

/** What the endpoints of one kind have in common. */
function partsOf(resource: AdministeredResource) {
  const { id, collection, titles } = resource;
  const list = `${prefix}/${collection}` as const;
  const object = { kind: 'json', schema: objectSchema(resource) } as const;
  return {
    id,
    titles,
    ...permissionsOf(resource),
    list,
    item: `${list}/:name` as const,
    object,
    settings: { kind: 'json', schema: settingsSchema(resource) } as const,
    stored: { description: `The ${titles[0]}`, body: object, headers: etag },
    refusals: ['entity_unknown', 'entity_owned', 'entity_in_use', 'precondition_failed'] as const,
  };
}

type Parts = ReturnType<typeof partsOf>;

/** The endpoints that read one kind of objects. */
function readingEndpoints(parts: Parts) {
  const {
    id,
    titles: [one, many],
    reading,
    list,
    item,
    object,
    stored,
  } = parts;
  return {
    list: defineEndpoint({
      id: `list${pluralOf(id)}`,
      tag,
      method: 'GET',
      path: list,
      summary: `List ${many}`,
      authentication: reading,
      query: listSchema,
      responses: {
        200: {
          description: `A page of ${many}`,
          body: {
            kind: 'json',
            schema: z.object({
              items: z.array(object.schema).describe(`The ${many} of this page`),
              next: z.string().optional().describe('Link to the next page; absent on the last page'),
            }),
          },
        },
      },
      errors: [],
    }),
    find: defineEndpoint({
      id: `find${id}`,
      tag,
      method: 'GET',
      path: item,
      summary: `Show a ${one}`,
      authentication: reading,
      params: nameSchema,
      query: scopeSchema,
      responses: { 200: stored },
      errors: ['entity_unknown'],
    }),
  };
}

/** The endpoints that write whole objects. */
function writingEndpoints(parts: Parts) {
  const {
    id,
    titles: [one],
    writing,
    list,
    item,
    settings,
    stored,
    refusals,
  } = parts;
  return {
    create: defineEndpoint({
      id: `create${id}`,
      tag,
      method: 'POST',
      path: list,
      summary: `Create a ${one}`,
      authentication: writing,
      body: settings,
      responses: { 201: { ...stored, headers: etag.extend({ location: z.string().describe('Its address') }) } },
      errors: ['entity_exists', 'entity_in_use'],
    }),
    replace: defineEndpoint({
      id: `replace${id}`,
      tag,
      method: 'PUT',
      path: item,
      summary: `Create or replace a ${one}`,
      description: 'Settings that are absent get their defaults. A password that is absent stays as it is.',
      authentication: writing,
      params: nameSchema,
      headers: conditionsSchema,
      body: settings,
      responses: { 200: stored, 201: { ...stored, description: `The new ${one}` } },
      errors: [...refusals, 'entity_exists'],
    }),
  };
}

/** The endpoints that change or remove existing objects. */
function changingEndpoints(parts: Parts) {
  const {
    id,
    titles: [one],
    writing,
    deleting,
    item,
    stored,
    refusals,
  } = parts;
  return {
    change: defineEndpoint({
      id: `change${id}`,
      tag,
      method: 'PATCH',
      path: item,
      summary: `Change settings of a ${one}`,
      description: 'A JSON merge patch (RFC 7396): members replace settings, null removes them.',
      authentication: writing,
      params: nameSchema,
      query: scopeSchema,
      headers: conditionsSchema,
      body: {
        kind: 'json',
        mediaTypes: ['application/merge-patch+json', 'application/json'],
        schema: z.record(z.string(), z.unknown()),
      },
      responses: { 200: stored },
      errors: refusals,
    }),
    remove: defineEndpoint({
      id: `delete${id}`,
      tag,
      method: 'DELETE',
      path: item,
      summary: `Delete a ${one}`,
      authentication: deleting,
      params: nameSchema,
      query: scopeSchema,
      headers: conditionsSchema,
      responses: { 204: { description: 'It is deleted', body: { kind: 'none' } } },
      errors: refusals,
    }),
  };
}

/** The endpoints of one kind of objects. */
export function resourceEndpoints(resource: AdministeredResource) {
  const parts = partsOf(resource);
  return { ...readingEndpoints(parts), ...writingEndpoints(parts), ...changingEndpoints(parts) };
}

/** The endpoints of all kinds of objects. */
export const administrationEndpoints: readonly EndpointContract[] = administeredResources.flatMap((resource) =>
  Object.values(resourceEndpoints(resource)),
);
