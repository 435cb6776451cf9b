import { partEndpoints } from '@waybill/contracts/endpoints/administration/part-endpoints';
import { type AdministeredPart, administeredParts } from '@waybill/contracts/endpoints/administration/part-table';
import type { AdministeredResource } from '@waybill/contracts/endpoints/administration/resource';
import { resourceEndpoints } from '@waybill/contracts/endpoints/administration/resource-endpoints';
import { administeredResources } from '@waybill/contracts/endpoints/administration/resource-table';
import { suggestion } from '@waybill/contracts/errors/nearest-name';
import type { PlatformClient } from '@waybill/platform-client/create-client';
import { z } from 'zod';
import { type Invocation, UsageError } from '../../command.ts';
import { givenTexts } from '../../platform/option-values.ts';
import { givenFilters } from './object-filters.ts';

const partCollections = administeredParts.map(({ collection }) => collection);

/** The collections of the configuration, as they are called in addresses. */
export const collections: readonly string[] = [
  ...administeredResources.map(({ collection }) => collection),
  ...partCollections,
];

/** Collections of the API that other commands read and write. */
const ofOtherCommands: ReadonlyMap<string, string> = new Map([
  ['secrets', '`waybill secret`'],
  ['connection-ssh-keys', '`waybill ssh-key`, and `waybill secret delete`'],
]);

/** What every object has. */
export const objectSchema = z.looseObject({
  name: z.string(),
  actor: z.string().optional(),
  source: z.string().nullable(),
});

/** The requests of a collection of objects, or of parts of objects. */
export interface ObjectCollection {
  /** `page`: where the page is, and how many objects are on it. */
  list(client: PlatformClient, page: Query, signal: AbortSignal | undefined): Promise<Listed>;
  find(client: PlatformClient, name: string): Promise<{ body: unknown; headers: { etag: string } }>;
  create(client: PlatformClient, write: Write): Promise<Answer>;
  replace(client: PlatformClient, name: string, write: Write): Promise<Answer>;
  change(client: PlatformClient, name: string, write: Write): Promise<Answer>;
  remove(client: PlatformClient, name: string, write: Omit<Write, 'settings'>): Promise<Answer>;
}

type Query = Readonly<Record<string, string | number>>;

interface Listed {
  readonly items: readonly unknown[];
  readonly next?: string | undefined;
}

/** A change, what it requires, and whether it is a dry run. */
interface Write {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly headers: { readonly 'if-match'?: string };
  readonly trial: { readonly dryRun?: 'true' };
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

type Named = Pick<Invocation, 'positionals' | 'values'>;

/** The collection that a command names. @throws UsageError if there is no such collection, or it has no such options */
export function collectionOf({ positionals: [collection = ''], values }: Named): ObjectCollection {
  const part = partNamed(collection);
  if (part) {
    givenFilters(part, values);
    return collectionOfParts(part, values);
  }
  const resource = administeredResources.find((each) => each.collection === collection);
  if (!resource) {
    const instead = ofOtherCommands.get(collection);
    if (instead !== undefined)
      throw new UsageError(`${collection} are no objects of the configuration: use ${instead}`);
    const near = suggestion(collection, collections) || `; there are ${collections.join(', ')}`;
    throw new UsageError(`there is no collection ${collection}${near}`);
  }
  if (values['of'] !== undefined) throw new UsageError(`--of is for ${partCollections.join(' and ')}`);
  return collectionOfObjects(resource, values);
}

/** The kind of parts that a collection has, if it has no objects. */
export function partNamed(collection: string | undefined): AdministeredPart | undefined {
  return administeredParts.find((each) => each.collection === collection);
}

/** The object of parts, which a command names in `--of`. @throws UsageError if it does not */
export function objectOfPart({ collection, member }: AdministeredPart, values: Invocation['values']): string {
  const { of, actor } = givenTexts(values, ['of', 'actor']);
  if (actor !== undefined) throw new UsageError(`--actor only filters the list of ${collection}: use --of`);
  if (of === undefined) throw new UsageError(`name the ${member} with --of`);
  return of;
}

function collectionOfObjects(resource: AdministeredResource, values: Invocation['values']): ObjectCollection {
  const { list, find, create, replace, change, remove } = resourceEndpoints(resource);
  const scope = givenTexts(values, ['actor']);
  const filters = { ...givenTexts(values, ['name', 'actor', 'source', 'sort']), ...givenFilters(resource, values) };
  return {
    list: async (client, page, signal) => (await client.call(list, { query: { ...filters, ...page }, signal })).body,
    find: async (client, name) => await client.call(find, { params: { name }, query: scope }),
    create: async (client, { settings: body, trial }) => await client.call(create, { body, query: trial }),
    replace: async (client, name, { settings: body, headers, trial }) =>
      await client.call(replace, { params: { name }, query: trial, headers, body }),
    change: async (client, name, { settings: body, headers, trial }) =>
      await client.call(change, { params: { name }, query: { ...scope, ...trial }, headers, body }),
    remove: async (client, name, { headers, trial }) =>
      await client.call(remove, { params: { name }, query: { ...scope, ...trial }, headers }),
  };
}

function collectionOfParts(part: AdministeredPart, values: Invocation['values']): ObjectCollection {
  const { list, find, create, replace, change, remove } = partEndpoints(part);
  const { of, ...texts } = givenTexts(values, ['name', 'actor', 'source', 'of']);
  const filters = { ...texts, ...givenFilters(part, values) };
  if (values['sort'] !== undefined) throw new UsageError(`${part.collection} are listed by name only`);
  const filter = of === undefined ? {} : { [part.member]: of };
  const scope = (): Query => ({ [part.member]: objectOfPart(part, values) });
  return {
    list: async (client, page, signal) =>
      (await client.call(list, { query: { ...filters, ...filter, ...page }, signal })).body,
    find: async (client, name) => await client.call(find, { params: { name }, query: scope() }),
    create: async (client, { settings: body, trial }) => await client.call(create, { body, query: trial }),
    replace: async (client, name, { settings: body, headers, trial }) =>
      await client.call(replace, { params: { name }, query: trial, headers, body }),
    change: async (client, name, { settings: body, headers, trial }) => {
      const query = { [part.member]: body[part.member], ...trial };
      return await client.call(change, { params: { name }, query, headers, body });
    },
    remove: async (client, name, { headers, trial }) =>
      await client.call(remove, { params: { name }, query: { ...scope(), ...trial }, headers }),
  };
}
