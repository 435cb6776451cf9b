import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { etag, nameSchema, type permissionsOf, pluralOf } from './collection-requests.ts';

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
      tag: 'Configuration',
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
      tag: 'Configuration',
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
