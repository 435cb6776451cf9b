import { z } from 'zod';
import { plainNameSchema } from '../../values/configured-names.ts';
import { defineEndpoint, type EndpointContract } from '../endpoint.ts';
import {
  conditionsSchema,
  etag,
  listSchema,
  nameSchema,
  permissionsOf,
  pluralOf,
  prefix,
} from './collection-requests.ts';
import { changePreviewSchema, dryRunShape } from './configuration-views.ts';
import { filterShape } from './list-filters.ts';
import { sortShape } from './list-sorts.ts';
import { administeredResources } from './resource-table.ts';
import { type AdministeredResource, objectSchema, patchSchema, requestedSettingsSchema } from './resource.ts';

const tag = 'Configuration';

const scopeSchema = z.strictObject({
  actor: plainNameSchema
    .optional()
    .describe(
      'The actor that it belongs to; needed for groups and Connection Contracts, whose names are unique in their actor',
    )
    .meta({ example: 'acme' }),
});

const trialSchema = z.strictObject(dryRunShape);
const changedSchema = scopeSchema.extend(dryRunShape);

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
    scope: scopeSchema,
    query: z.strictObject({ ...filterShape(resource), ...listSchema.shape, ...sortShape(resource) }),
    stored: { description: `The ${titles[0]}`, body: object, headers: etag },
    previewed: {
      description: 'What would change, of a dry run',
      body: { kind: 'json', schema: changePreviewSchema },
    } as const,
    storedOrPreviewed: {
      description: `The ${titles[0]}, or what would change`,
      body: { kind: 'json', schema: z.union([object.schema, changePreviewSchema]) },
      headers: etag.partial(),
    } as const,
    refusals: ['entity_unknown', 'entity_owned', 'entity_in_use', 'precondition_failed'] as const,
  };
}

type Parts = ReturnType<typeof partsOf>;

/** What the endpoints that read one kind of objects, or of parts of objects, are made of. */
export interface ReadingParts<Shown extends z.ZodType, Filters extends z.ZodObject, Scope extends z.ZodObject> {
  /** In the singular, such as `Actor`. */
  readonly id: string;
  readonly titles: readonly [one: string, many: string];
  readonly reading: ReturnType<typeof permissionsOf>['reading'];
  readonly list: `/${string}`;
  readonly item: `/${string}/:name`;
  readonly object: { readonly kind: 'json'; readonly schema: Shown };
  readonly stored: {
    readonly description: string;
    readonly body: { readonly kind: 'json'; readonly schema: Shown };
    readonly headers: typeof etag;
  };
  /** The query of the list. */
  readonly query: Filters;
  /** The query that tells which one of this name is meant. */
  readonly scope: Scope;
}

/** The endpoints that read one kind of objects, or of parts of objects. */
export function readingEndpoints<Shown extends z.ZodType, Filters extends z.ZodObject, Scope extends z.ZodObject>({
  id,
  titles: [one, many],
  reading,
  list,
  item,
  object,
  stored,
  query,
  scope,
}: ReadingParts<Shown, Filters, Scope>) {
  return {
    list: defineEndpoint({
      id: `list${pluralOf(id)}`,
      tag,
      method: 'GET',
      path: list,
      summary: `List ${many}`,
      authentication: reading,
      query,
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
      query: scope,
      responses: { 200: stored },
      errors: ['entity_unknown'],
    }),
  };
}

/** The endpoints that write whole objects. */
function writingEndpoints<Settings extends z.ZodType>(parts: Parts, schema: Settings) {
  const settings = { kind: 'json', schema } as const;
  const {
    id,
    titles: [one],
    writing,
    list,
    item,
    stored,
    previewed,
    storedOrPreviewed,
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
      query: trialSchema,
      body: settings,
      responses: {
        200: previewed,
        201: { ...stored, headers: etag.extend({ location: z.string().describe('Its address') }) },
      },
      errors: ['entity_exists', 'entity_in_use'],
    }),
    replace: defineEndpoint({
      id: `replace${id}`,
      tag,
      method: 'PUT',
      path: item,
      summary: `Create or replace a ${one}`,
      description:
        'Settings that are absent get their defaults. A password that is absent stays as it is. What a request for the object has answered ' +
        'is accepted, and changes nothing. An `actor` in the query has to be that of the body.',
      authentication: writing,
      params: nameSchema,
      query: changedSchema,
      headers: conditionsSchema,
      body: settings,
      responses: { 200: storedOrPreviewed, 201: { ...stored, description: `The new ${one}` } },
      errors: [...refusals, 'entity_exists'],
    }),
  };
}

/** The endpoints that change or remove existing objects. */
function changingEndpoints<Patch extends z.ZodType>(parts: Parts, patch: Patch) {
  const {
    id,
    titles: [one],
    writing,
    deleting,
    item,
    previewed,
    storedOrPreviewed,
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
      query: changedSchema,
      headers: conditionsSchema,
      body: {
        kind: 'json',
        mediaTypes: ['application/merge-patch+json', 'application/json'],
        schema: z.record(z.string(), z.unknown()),
        documented: patch,
      },
      responses: { 200: storedOrPreviewed },
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
      query: changedSchema,
      headers: conditionsSchema,
      responses: { 200: previewed, 204: { description: 'It is deleted', body: { kind: 'none' } } },
      alreadyDeleted: { code: 'entity_unknown', status: 204 },
      errors: refusals,
    }),
  };
}

/** The endpoints of one kind of objects. */
export function resourceEndpoints<R extends AdministeredResource>(resource: R) {
  const parts = partsOf(resource);
  return {
    ...readingEndpoints(parts),
    ...writingEndpoints(parts, requestedSettingsSchema(resource)),
    ...changingEndpoints(parts, patchSchema(resource)),
  };
}

/** The endpoints of all kinds of objects. */
export const administrationEndpoints: readonly EndpointContract[] = administeredResources.flatMap((resource) =>
  Object.values(resourceEndpoints(resource)),
);
