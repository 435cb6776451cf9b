import { containedSettings } from '@waybill/contracts/endpoints/administration/list-filters';
import { partEndpoints } from '@waybill/contracts/endpoints/administration/part-endpoints';
import {
  type AdministeredPart,
  administeredParts,
  resourceOf,
} from '@waybill/contracts/endpoints/administration/part-table';
import { withUnknownRemovals } from '@waybill/contracts/endpoints/unknown-removals';
import { bindEndpoint } from '@waybill/http-kit/routing/bind-endpoint';
import type { Route } from '@waybill/http-kit/routing/route';
import { z } from 'zod';
import type { Administration, Administrator } from '../../domain/administration/administration.ts';
import { mergePatch } from '../../domain/administration/merge-patch.ts';
import {
  createObjectParts,
  type ObjectPart,
  type ObjectParts,
  type PartChange,
  type PartTarget,
} from '../../domain/administration/object-parts.ts';
import { callerOf } from './caller-of.ts';
import { encodeObjectCursor } from './object-cursor.ts';
import { assertSame, wrongField } from './patch-object.ts';
import { linkTo, queryOf } from './resource-routes.ts';
import { conditionsOf } from './write-conditions.ts';

/** The endpoints of parts of objects that have addresses of their own. */
export function createPartRoutes(administration: Administration): Route[] {
  const parts = createObjectParts(administration);
  return administeredParts.flatMap((part) => [
    ...readingRoutes(part, administration, parts),
    ...writingRoutes(part, parts),
    ...changingRoutes(part, parts),
  ]);
}

function readingRoutes(part: AdministeredPart, { listParts }: Administration, parts: ObjectParts): Route[] {
  const endpoints = partEndpoints(part);
  const { entityType } = resourceOf(part);
  return [
    bindEndpoint(endpoints.list, async ({ query, actors }) => {
      const { limit, ...filters } = queryOf({ actor: undefined, ...query });
      const given: Readonly<Record<string, unknown>> = query;
      const parent = given[part.member] === undefined ? undefined : parentIn(part, given);
      const settings = containedSettings(part, given);
      const wanted = { entityType, setting: part.setting, parent, ...filters, settings, actors, limit: limit + 1 };
      const found = await listParts(wanted);
      const last = found.length > limit ? found[limit - 1] : undefined;
      const items = found
        .slice(0, limit)
        .map(({ actor, definition: settings, ...stored }) =>
          present(part, { ...stored, settings, actor: actor ?? undefined }),
        );
      const next = last && linkTo(endpoints.list.path, { ...query, cursor: encodeObjectCursor(last) });
      return { status: 200, body: { items, ...(next !== undefined && { next }) } };
    }),
    bindEndpoint(endpoints.find, async ({ params: { name }, query, ...request }) => ({
      status: 200,
      ...presented(part, await parts.find({ part, parent: parentIn(part, query), name }, callerOf(request))),
    })),
  ];
}

function writingRoutes(part: AdministeredPart, parts: ObjectParts): Route[] {
  const endpoints = partEndpoints(part);
  return [
    bindEndpoint(endpoints.create, async ({ query: { dryRun }, body, ...request }) => {
      const { name, parent, stated, settings } = bodyOf(part, body);
      if (name === undefined) throw wrongField('name', 'is missing');
      const target = { part, parent, name };
      const change = { settings: () => settings, stated, conditions: { ifAbsent: true } };
      const by = callerOf(request);
      if (dryRun === 'true') return await previewed(parts, target, change, by);
      const { written } = await parts.write(target, change, by);
      const location = `${endpoints.list.path}/${encodeURIComponent(name)}?${part.member}=${encodeURIComponent(parent)}`;
      return { status: 201, ...presented(part, there(written), location) };
    }),
    bindEndpoint(endpoints.replace, async ({ params: { name }, query, body, headers, ...request }) => {
      const { parent, stated, settings, ...given } = bodyOf(part, body);
      assertSame('name', { inBody: given.name ?? name, inAddress: name });
      assertSame(part.member, { inBody: parent, inAddress: parentSchema.parse(query)[part.member] });
      const target = { part, parent, name };
      const change = { settings: () => settings, stated, conditions: conditionsOf(headers) };
      const by = callerOf(request);
      if (query.dryRun === 'true') return await previewed(parts, target, change, by);
      const { written, isNew } = await parts.write(target, change, by);
      return { status: isNew ? 201 : 200, ...presented(part, there(written)) };
    }),
  ];
}

function changingRoutes(part: AdministeredPart, parts: ObjectParts): Route[] {
  const endpoints = partEndpoints(part);
  return [
    bindEndpoint(endpoints.change, async ({ params: { name }, query, body, headers, ...request }) => {
      const target = { part, parent: parentIn(part, query), name };
      const by = callerOf(request);
      // One that does not exist is unknown, before any condition of the request.
      await parts.find(target, by);
      if ((body['name'] ?? name) !== name) throw wrongField('name', 'cannot be changed');
      if ((body[part.member] ?? target.parent) !== target.parent) throw wrongField(part.member, 'cannot be changed');
      const { name: _name, [part.member]: _parent, actor, source, ...patch } = body;
      const conditions = conditionsOf(headers);
      const change = {
        settings: (stored: PatchTarget = {}) => withUnknownRemovals(part.schema, patch, mergePatch(stored, patch)),
        stated: { actor, source },
        conditions: { ...conditions, ifMatch: conditions.ifMatch ?? ['*'] },
      };
      if (query.dryRun === 'true') return await previewed(parts, target, change, by);
      const { written } = await parts.write(target, change, by);
      return { status: 200, ...presented(part, there(written)) };
    }),
    bindEndpoint(endpoints.remove, async ({ params: { name }, query, headers, ...request }) => {
      const target = { part, parent: parentIn(part, query), name };
      const by = callerOf(request);
      await parts.find(target, by);
      const change = { settings: () => undefined, stated: {}, conditions: conditionsOf(headers) };
      if (query.dryRun === 'true') return await previewed(parts, target, change, by);
      await parts.write(target, change, by);
      return { status: 204 };
    }),
  ];
}

type PatchTarget = Readonly<Record<string, unknown>>;

async function previewed(parts: ObjectParts, target: PartTarget, change: PartChange, by: Administrator) {
  return { status: 200, body: await parts.preview(target, change, by) } as const;
}

/** The name of the object in a query or in a body, which have it as their schemas say. */
function parentIn({ member }: AdministeredPart, values: Readonly<Record<string, unknown>>): string {
  return z.string().parse(values[member]);
}

const parentSchema = z.record(z.string(), z.string().optional());

const bodySchema = z.looseObject({ name: z.string().optional() });

function bodyOf(part: AdministeredPart, body: unknown) {
  const { name, actor, source, ...others } = bodySchema.parse(body);
  const { [part.member]: _parent, ...settings } = others;
  return { name, parent: parentIn(part, others), stated: { actor, source }, settings };
}

function there(written: ObjectPart | undefined): ObjectPart {
  if (written === undefined) throw new Error('a part that was written is not there');
  return written;
}

function present(part: AdministeredPart, { settings, parent, actor, source }: Omit<ObjectPart, 'version'>) {
  return { ...settings, [part.member]: parent, ...(actor !== undefined && { actor }), source };
}

function presented(part: AdministeredPart, object: ObjectPart, location?: string) {
  const headers = { ETag: `"${object.version}"`, ...(location !== undefined && { Location: location }) };
  return { body: present(part, object), headers };
}
