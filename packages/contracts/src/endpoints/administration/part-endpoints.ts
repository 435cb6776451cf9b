import { z } from 'zod';
import { configuredNameSchema } from '../../values/configured-names.ts';
import { defineEndpoint, type EndpointContract } from '../endpoint.ts';
import { conditionsSchema, etag, listSchema, nameSchema, permissionsOf, prefix } from './collection-requests.ts';
import { changePreviewSchema, dryRunShape } from './configuration-views.ts';
import { filterShape } from './list-filters.ts';
import {
  type AdministeredPart,
  administeredParts,
  parentShape,
  partPatchSchema,
  partSchema,
  partSettingsSchema,
  resourceOf,
} from './part-table.ts';
import { readingEndpoints } from './resource-endpoints.ts';

const tag = 'Configuration';

/** What the endpoints of one kind of parts have in common. */
function contextOf(part: AdministeredPart) {
  const { id, collection, titles } = part;
  const resource = resourceOf(part);
  const { reading, writing } = permissionsOf(resource);
  const list = `${prefix}/${collection}` as const;
  const body = { kind: 'json', schema: partSchema(part) } as const;
  const scope = parentShape(part);
  return {
    id,
    titles,
    reading,
    // Removing a part changes the object, which remains.
    writing,
    list,
    item: `${list}/:name` as const,
    isOfActor: resource.ofActor !== 'none',
    filter: {
      ...filterShape(part),
      [part.member]: configuredNameSchema.optional().describe(`Only those of this ${resource.titles[0]}`),
    },
    scope,
    replaced: z.strictObject(scope).partial().extend(dryRunShape),
    object: body,
    stored: { description: `The ${titles[0]}`, body, headers: etag },
    previewed: {
      description: 'What would change, of a dry run',
      body: { kind: 'json', schema: changePreviewSchema },
    } as const,
    storedOrPreviewed: {
      description: `The ${titles[0]}, or what would change`,
      body: { kind: 'json', schema: z.union([body.schema, changePreviewSchema]) },
      headers: etag.partial(),
    } as const,
    refusals: ['entity_unknown', 'entity_owned', 'entity_in_use', 'precondition_failed'] as const,
  };
}

type Context = ReturnType<typeof contextOf>;

function readingOfParts(context: Context) {
  const { actor: _actor, ...shape } = listSchema.shape;
  const query = z.strictObject({ ...context.filter, ...(context.isOfActor ? listSchema.shape : shape) });
  return readingEndpoints({ ...context, query, scope: z.strictObject(context.scope) });
}

function writingEndpoints<Settings extends z.ZodType>(
  { id, titles: [one], writing, list, item, stored, previewed, ...context }: Context,
  schema: Settings,
) {
  const settings = { kind: 'json', schema } as const;
  return {
    create: defineEndpoint({
      id: `create${id}`,
      tag,
      method: 'POST',
      path: list,
      summary: `Create a ${one}`,
      authentication: writing,
      query: z.strictObject(dryRunShape),
      body: settings,
      responses: {
        200: previewed,
        201: { ...stored, headers: etag.extend({ location: z.string().describe('Its address') }) },
      },
      errors: ['entity_unknown', 'entity_exists', 'entity_owned', 'entity_in_use'],
    }),
    replace: defineEndpoint({
      id: `replace${id}`,
      tag,
      method: 'PUT',
      path: item,
      summary: `Create or replace a ${one}`,
      description:
        `Settings that are absent get their defaults. What a request for the ${one} has answered is accepted, and changes nothing. ` +
        'What the query names has to be what the body names.',
      authentication: writing,
      params: nameSchema,
      query: context.replaced,
      headers: conditionsSchema,
      body: settings,
      responses: { 200: context.storedOrPreviewed, 201: { ...stored, description: `The new ${one}` } },
      errors: [...context.refusals, 'entity_exists'],
    }),
  };
}

function changingEndpoints<Query extends z.ZodType, Patch extends z.ZodType>(
  { id, titles: [one], writing, item, previewed, ...context }: Context,
  query: Query,
  patch: Patch,
) {
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
      query,
      headers: conditionsSchema,
      body: {
        kind: 'json',
        mediaTypes: ['application/merge-patch+json', 'application/json'],
        schema: z.record(z.string(), z.unknown()),
        documented: patch,
      },
      responses: { 200: context.storedOrPreviewed },
      errors: context.refusals,
    }),
    remove: defineEndpoint({
      id: `delete${id}`,
      tag,
      method: 'DELETE',
      path: item,
      summary: `Delete a ${one}`,
      authentication: writing,
      params: nameSchema,
      query,
      headers: conditionsSchema,
      responses: { 200: previewed, 204: { description: 'It is deleted', body: { kind: 'none' } } },
      alreadyDeleted: { code: 'entity_unknown', status: 204 },
      errors: context.refusals,
    }),
  };
}

function queryOfChange(part: AdministeredPart) {
  return z.strictObject({ ...parentShape(part), ...dryRunShape });
}

/** The query of a change: which object has the part, and whether it is a dry run. */
type ChangeQuery<P extends AdministeredPart> = z.ZodType<
  z.output<ReturnType<typeof queryOfChange>>,
  { readonly [M in P['member']]: string } & z.input<z.ZodObject<typeof dryRunShape>>
>;

function changeQuery<P extends AdministeredPart>(part: P): ChangeQuery<P>;
function changeQuery(part: AdministeredPart): z.ZodType {
  return queryOfChange(part);
}

/** The endpoints of one kind of parts. */
export function partEndpoints<P extends AdministeredPart>(part: P) {
  const context = contextOf(part);
  return {
    ...readingOfParts(context),
    ...writingEndpoints(context, partSettingsSchema(part)),
    ...changingEndpoints(context, changeQuery(part), partPatchSchema(part)),
  };
}

/** The endpoints of all kinds of parts. */
export const administeredPartEndpoints: readonly EndpointContract[] = administeredParts.flatMap((part) =>
  Object.values(partEndpoints(part)),
);
