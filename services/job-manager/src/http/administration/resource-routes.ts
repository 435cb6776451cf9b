import type { IncomingHttpHeaders } from 'node:http';
import type { AdministeredResource } from '@waybill/contracts/endpoints/administration/resource';
import {
  type ObjectListQuery,
  resourceEndpoints,
} from '@waybill/contracts/endpoints/administration/resource-endpoints';
import { administeredResources } from '@waybill/contracts/endpoints/administration/resource-table';
import type { WriteConditions } from '@waybill/directory/administration/write-entity';
import { bindEndpoint } from '@waybill/http-kit/routing/bind-endpoint';
import type { Route } from '@waybill/http-kit/routing/route';
import type { Administration, ConfiguredObject } from '../../domain/administration/administration.ts';
import { callerOf } from './caller-of.ts';
import { decodeObjectCursor, encodeObjectCursor } from './object-cursor.ts';
import { objectBodySchema, patchObject, wrongField } from './patch-object.ts';

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
      const { objects, next } = await administration.list({ entityType, ...queryOf(query), actors });
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
    bindEndpoint(endpoints.create, async ({ body, ...request }) => {
      const { name, actor, ...settings } = objectBodySchema.parse(body);
      if (name === undefined) throw wrongField('name', 'is missing');
      const change = { settings: () => settings, ifAbsent: true, by: callerOf(request) };
      const { object } = await administration.put({ entityType, name, actor }, change);
      return { status: 201, ...presented(object, `${endpoints.list.path}/${encodeURIComponent(object.name)}`) };
    }),
    bindEndpoint(endpoints.replace, async ({ params, body, headers, ...request }) => {
      const { name = params.name, actor, ...settings } = objectBodySchema.parse(body);
      if (name !== params.name) throw wrongField('name', 'differs from the name in the address');
      const change = { settings: () => settings, ...conditionsOf(headers), by: callerOf(request) };
      const { object, isNew } = await administration.put({ entityType, name, actor }, change);
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
      const change = { patch: body, conditions: conditionsOf(headers), by: callerOf(request) };
      const object = await patchObject(administration, target, change);
      return { status: 200, ...presented(object) };
    }),
    bindEndpoint(endpoints.remove, async ({ params, query, headers, ...request }) => {
      await administration.remove(
        { entityType, name: params.name, actor: query.actor },
        {
          ...conditionsOf(headers),
          by: callerOf(request),
        },
      );
      return { status: 204 };
    }),
  ];
}

function presentObject({ source, definition }: ConfiguredObject): Record<string, unknown> {
  return { ...definition, source };
}

function presented(object: ConfiguredObject, location?: string) {
  const headers = { ETag: `"${object.version}"`, ...(location !== undefined && { Location: location }) };
  return { body: presentObject(object), headers };
}

/** Weak tags match none: a version is exact (RFC 9110 section 13.1.1). */
function conditionsOf({ 'if-match': ifMatch, 'if-none-match': ifNoneMatch }: IncomingHttpHeaders): WriteConditions {
  const tags =
    ifMatch?.trim() === '*' ? ['*'] : [...(ifMatch ?? '').matchAll(/(?<!W\/)"([^"]*)"/gu)].map(([, tag]) => tag ?? '');
  return { ...(ifMatch !== undefined && { ifMatch: tags }), ifAbsent: ifNoneMatch !== undefined };
}

function queryOf({ maxItems, sort, cursor, source, name, actor }: ObjectListQuery) {
  return {
    name,
    actor,
    ...(source !== undefined && { source: source === '' ? null : source }),
    descending: sort.startsWith('-'),
    after: cursor === undefined ? undefined : decodeObjectCursor(cursor),
    limit: maxItems,
  };
}

function linkTo(path: string, query: ObjectListQuery): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  return `${path}?${parameters.toString()}`;
}
