import { reachOf } from '@waybill/access/principal';
import {
  changeObjectsEndpoint,
  type GivenObjectChange,
} from '@waybill/contracts/endpoints/administration/change-objects';
import type { ChangePreview } from '@waybill/contracts/endpoints/administration/configuration-views';
import {
  adoptObjectsEndpoint,
  forceObjectEndpoint,
  type ObjectName,
  type PassedObject,
  readDriftEndpoint,
  releaseObjectsEndpoint,
} from '@waybill/contracts/endpoints/administration/ownership-endpoints';
import {
  type AdministeredResource,
  permissionOn,
  statedSettings,
} from '@waybill/contracts/endpoints/administration/resource';
import { administeredResources } from '@waybill/contracts/endpoints/administration/resource-table';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { placeOf } from '@waybill/contracts/errors/place-of';
import { permissionTitle } from '@waybill/contracts/roles/permissions';
import type { PassedEntity } from '@waybill/directory/administration/change-owner';
import { errorOfChange } from '@waybill/directory/administration/change-place';
import type { WriteConditions } from '@waybill/directory/administration/write-in-transaction';
import { type EntityTarget, isNamedInActor } from '@waybill/directory/sources/entity-target';
import { bindEndpoint } from '@waybill/http-kit/routing/bind-endpoint';
import type { Route } from '@waybill/http-kit/routing/route';
import type { Administration, Administrator, ObjectWrite } from '../../domain/administration/administration.ts';
import type { Ownership } from '../../domain/administration/ownership.ts';
import { callerOf } from './caller-of.ts';
import { patchOf, wrongField } from './patch-object.ts';
import { ifMatchOf } from './write-conditions.ts';

/** The endpoints about the owners of objects. */
export function createOwnershipRoutes(ownership: Ownership, administration: Administration): Route[] {
  return [
    bindEndpoint(adoptObjectsEndpoint, async ({ body: { source, objects, reason = '' }, ...request }) => {
      const by = callerOf(request);
      await ownership.adopt({ source, targets: passedOf(objects, by), reason, by });
      return { status: 204 };
    }),
    bindEndpoint(releaseObjectsEndpoint, async ({ body: { source, objects, reason = '' }, ...request }) => {
      const by = callerOf(request);
      await ownership.release({ source, targets: passedOf(objects, by), reason, by });
      return { status: 204 };
    }),
    bindEndpoint(forceObjectEndpoint, async ({ query, headers, body, ...request }) => {
      const by = callerOf(request);
      const { object, reason: forcedFor, patch } = body;
      assertActorNamed({ object });
      const write = writeOf({ object, patch }, { by, conditions: { forcedFor, ...ifMatchOf(headers['if-match']) } });
      if (query.dryRun === 'true') return { status: 200, body: await administration.preview([write], by) };
      const { changes, broken } = await administration.change([write], by);
      if (broken.length === 0) return { status: 204 };
      const done: ChangePreview = { changes, consequences: [...broken], uses: [] };
      return { status: 200, body: done };
    }),
    bindEndpoint(changeObjectsEndpoint, async ({ query, body, ...request }) => {
      const by = callerOf(request);
      const writes = body.changes.map((change, index) => writeAmong(change, index, by));
      if (query.dryRun === 'true') return { status: 200, body: await administration.preview(writes, by) };
      const { changes } = await administration.change(writes, by);
      return { status: 201, body: { changes } };
    }),
    bindEndpoint(readDriftEndpoint, async ({ query }) => ({ status: 200, body: await ownership.drift(query.source) })),
  ];
}

/** The objects of a request that change their owner. @throws CodedError `not_permitted` */
function passedOf(objects: readonly PassedObject[], by: Administrator): PassedEntity[] {
  return objects.map(({ ifMatch, ...object }, index) => {
    const at = placeOf(['objects', index]);
    return { ...targetOf(object, by, 'write'), ...ifMatchOf(ifMatch), place: { change: at, settings: at } };
  });
}

/** One change of a request with several. @throws CodedError as `writeOf`, which names the change */
function writeAmong(change: GivenObjectChange, index: number, by: Administrator): ObjectWrite {
  const at = placeOf(['changes', index]);
  const kind = (['create', 'patch', 'delete'] as const).find((one) => change[one] !== undefined);
  const place = { change: at, settings: `${at}.${kind}` };
  assertActorNamed(change, `${at}.`);
  try {
    return { ...writeOf(change, { by, conditions: ifMatchOf(change.ifMatch) }), place };
  } catch (error) {
    throw errorOfChange(error, place);
  }
}

/** One change of a request, which is a deletion without settings. @throws CodedError `not_permitted`, and as `patchOf` */
function writeOf(
  { object, create, patch }: Pick<GivenObjectChange, 'object' | 'create' | 'patch'>,
  { by, conditions }: { readonly by: Administrator; readonly conditions: WriteConditions },
): ObjectWrite {
  const target = targetOf(object, by, create === undefined && patch === undefined ? 'delete' : 'write');
  const resource = resourceOf(object);
  if (patch !== undefined)
    return patchOf(target, { schema: resource.schema, ...statedSettings(resource, patch), conditions });
  if (create === undefined) return { target, ...conditions };
  const { name = target.name, actor = target.actor, ...members } = create;
  if (name !== target.name) throw wrongField('name', 'differs from the name of the object');
  if (actor !== target.actor) throw wrongField('actor', 'differs from the actor of the object');
  const { source, settings } = statedSettings(resource, members);
  return { target, settings: () => settings, source, ifAbsent: true, ...conditions };
}

/** `at` is where the object is in the request. @throws CodedError `validation_failed` for an object that cannot be found or created without its actor */
function assertActorNamed({ object, create }: Pick<GivenObjectChange, 'object' | 'create'>, at = ''): void {
  const { ofActor, entityType } = resourceOf(object);
  const isNeeded = create === undefined ? isNamedInActor(entityType) : ofActor === 'all' || 'actor' in create;
  if (object.actor === undefined && isNeeded && ofActor !== 'none') throw wrongField(`${at}object.actor`, 'is missing');
}

function resourceOf({ collection }: ObjectName): AdministeredResource {
  const resource = administeredResources.find((each) => each.collection === collection);
  if (!resource) throw new Error(`the contract lets the collection ${collection} pass`);
  return resource;
}

/** @throws CodedError `not_permitted`: manager users, roles and account policies need permissions of their own */
function targetOf(object: ObjectName, by: Administrator, verb: 'write' | 'delete'): EntityTarget {
  const { name, actor } = object;
  const resource = resourceOf(object);
  const permission = permissionOn(resource, verb);
  if (reachOf(by.grants, permission) !== 'all') {
    throw new CodedError('not_permitted', { detail: `This requires the permission ${permissionTitle(permission)}` });
  }
  return { entityType: resource.entityType, name, actor };
}
