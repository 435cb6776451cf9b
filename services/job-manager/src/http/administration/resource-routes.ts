import { type ObjectListQuery, prefix } from '@waybill/contracts/endpoints/administration/collection-requests';
import { containedSettings, earlierTimes } from '@waybill/contracts/endpoints/administration/list-filters';
import { sortSettingOf, type SortSetting } from '@waybill/contracts/endpoints/administration/list-sorts';
import { type AdministeredResource, statedSettings } from '@waybill/contracts/endpoints/administration/resource';
import { resourceEndpoints } from '@waybill/contracts/endpoints/administration/resource-endpoints';
import { administeredResources } from '@waybill/contracts/endpoints/administration/resource-table';
import { isNamedInActor } from '@waybill/directory/sources/entity-target';
import { bindEndpoint } from '@waybill/http-kit/routing/bind-endpoint';
import type { Route } from '@waybill/http-kit/routing/route';
import type {
  Administration,
  Administrator,
  ConfiguredObject,
  ObjectWrite,
} from '../../domain/administration/administration.ts';
import { callerOf } from './caller-of.ts';
import { decodeObjectCursor, encodeObjectCursor } from './object-cursor.ts';
import { assertSame, objectBodySchema, patchOf, wrongField } from './patch-object.ts';
import { conditionsOf } from './write-conditions.ts';

/** The endpoints of everything that has an address in the configuration. */
export function createResourceRoutes(administration: Administration): Route[] {
  return administeredResources.flatMap((resource) => [
    ...readingRoutes(resource, administration),
    ...writingRoutes(resource, administration),
    ...changingRoutes(resource, administration),
  ]);
}

function readingRoutes(resource: AdministeredResource, administration: Administration): Route[] {
  const endpoints = resourceEndpoints(resource);
  const { entityType } = resource;
  return [
    bindEndpoint(endpoints.list, async ({ query, actors }) => {
      const { objects, next } = await administration.list({
        entityType,
        ...queryOf(query, sortSettingOf(resource, query.sort)),
        settings: containedSettings(resource, query),
        earlier: earlierTimes(resource, query),
        actors,
      });
      const link = next && linkTo(endpoints.list.path, { ...query, cursor: encodeObjectCursor(next) });
      return { status: 200, body: { items: objects.map(presentObject), ...(link !== undefined && { next: link }) } };
    }),
    bindEndpoint(endpoints.find, async ({ params, query, ...request }) => {
      return {
        status: 200,
        ...presented(
          await administration.find({ entityType, name: params.name, actor: query.actor }, callerOf(request)),
        ),
      };
    }),
  ];
}

function writingRoutes(resource: AdministeredResource, administration: Administration): Route[] {
  const endpoints = resourceEndpoints(resource);
  const { entityType } = resource;
  return [
    bindEndpoint(endpoints.create, async ({ query: { dryRun }, body, ...request }) => {
      const { name, actor, source, settings } = settingsIn(resource, body);
      if (name === undefined) throw wrongField('name', 'is missing');
      const write = { target: { entityType, name, actor }, settings: () => settings, source, ifAbsent: true };
      const by = callerOf(request);
      if (dryRun === 'true') return await previewed(administration, write, by);
      const { object } = await administration.put(write, by);
      return { status: 201, ...presented(object, addressOf(resource, object)) };
    }),
    bindEndpoint(endpoints.replace, async ({ params, query, body, headers, ...request }) => {
      const { name, actor, source, settings } = settingsIn(resource, body);
      assertSame('name', { inBody: name ?? params.name, inAddress: params.name });
      assertSame('actor', { inBody: actor, inAddress: query.actor });
      const target = { entityType, name: params.name, actor };
      const write = { target, settings: () => settings, source, ...conditionsOf(headers) };
      const by = callerOf(request);
      if (query.dryRun === 'true') return await previewed(administration, write, by);
      const { object, isNew } = await administration.put(write, by);
      return isNew ? { status: 201, ...presented(object) } : { status: 200, ...presented(object) };
    }),
  ];
}

function changingRoutes(resource: AdministeredResource, administration: Administration): Route[] {
  const endpoints = resourceEndpoints(resource);
  const { entityType } = resource;
  return [
    bindEndpoint(endpoints.change, async ({ params, query, body, headers, ...request }) => {
      const target = { entityType, name: params.name, actor: query.actor };
      const { schema } = resource;
      const write = patchOf(target, { schema, ...statedSettings(resource, body), conditions: conditionsOf(headers) });
      const by = callerOf(request);
      if (query.dryRun === 'true') return await previewed(administration, write, by);
      const { object } = await administration.put(write, by);
      return { status: 200, ...presented(object) };
    }),
    bindEndpoint(endpoints.remove, async ({ params, query, headers, ...request }) => {
      const target = { entityType, name: params.name, actor: query.actor };
      const write = { target, ...conditionsOf(headers) };
      const by = callerOf(request);
      if (query.dryRun === 'true') return await previewed(administration, write, by);
      await administration.remove(write, by);
      return { status: 204 };
    }),
  ];
}

async function previewed(administration: Administration, write: ObjectWrite, by: Administrator) {
  return { status: 200, body: await administration.preview([write], by) } as const;
}

function settingsIn(resource: AdministeredResource, body: unknown) {
  const { name, actor, ...members } = objectBodySchema.parse(body);
  return { name, actor, ...statedSettings(resource, members) };
}

function presentObject({ source, definition, times }: ConfiguredObject): Record<string, unknown> {
  return { ...definition, source, ...times };
}

/** Where an object is: a name that is unique in its actor only needs the actor, too. */
function addressOf({ collection, entityType }: AdministeredResource, { name, definition }: ConfiguredObject): string {
  const address = `${prefix}/${collection}/${encodeURIComponent(name)}`;
  const { actor } = definition;
  if (!isNamedInActor(entityType) || typeof actor !== 'string') return address;
  return `${address}?actor=${encodeURIComponent(actor)}`;
}

function presented(object: ConfiguredObject, location?: string) {
  const headers = { ETag: `"${object.version}"`, ...(location !== undefined && { Location: location }) };
  return { body: presentObject(object), headers };
}

/** What is listed, by a query. */
export function queryOf(
  { maxItems, sort: word, cursor, source, name, actor }: Omit<ObjectListQuery, 'sort'> & { readonly sort: string },
  sort?: SortSetting,
) {
  return {
    name,
    actor,
    ...(source !== undefined && { source: source === '' ? null : source }),
    sort,
    descending: word.startsWith('-'),
    after: cursor === undefined ? undefined : decodeObjectCursor(cursor, sort !== undefined),
    limit: maxItems,
  };
}

/** The link to a page of a list. */
export function linkTo(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  return `${path}?${parameters.toString()}`;
}
