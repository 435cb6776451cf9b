import { reachOf } from '@waybill/access/principal';
import {
  adoptObjectsEndpoint,
  forceObjectEndpoint,
  type ObjectName,
  readDriftEndpoint,
  releaseObjectsEndpoint,
} from '@waybill/contracts/endpoints/administration/ownership-endpoints';
import { administeredResources } from '@waybill/contracts/endpoints/administration/resource-table';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { permissionTitle } from '@waybill/contracts/roles/permissions';
import type { EntityTarget } from '@waybill/directory/sources/entity-target';
import { bindEndpoint } from '@waybill/http-kit/routing/bind-endpoint';
import type { Route } from '@waybill/http-kit/routing/route';
import type { Administration, Administrator } from '../../domain/administration/administration.ts';
import type { Ownership } from '../../domain/administration/ownership.ts';
import { callerOf } from './caller-of.ts';
import { patchObject } from './patch-object.ts';

/** The endpoints about the owners of objects. */
export function createOwnershipRoutes(ownership: Ownership, administration: Administration): Route[] {
  return [
    bindEndpoint(adoptObjectsEndpoint, async ({ body: { source, objects, reason = '' }, ...request }) => {
      const by = callerOf(request);
      await ownership.adopt({ source, targets: objects.map((object) => targetOf(object, by, 'write')), reason, by });
      return { status: 204 };
    }),
    bindEndpoint(releaseObjectsEndpoint, async ({ body: { source, objects, reason = '' }, ...request }) => {
      const by = callerOf(request);
      await ownership.release({ source, targets: objects.map((object) => targetOf(object, by, 'write')), reason, by });
      return { status: 204 };
    }),
    bindEndpoint(forceObjectEndpoint, async ({ body: { object, reason: forcedFor, patch }, ...request }) => {
      const by = callerOf(request);
      const target = targetOf(object, by, patch === undefined ? 'delete' : 'write');
      if (patch === undefined) await administration.remove(target, { forcedFor, by });
      else await patchObject(administration, target, { patch, conditions: { forcedFor }, by });
      return { status: 204 };
    }),
    bindEndpoint(readDriftEndpoint, async ({ query }) => ({ status: 200, body: await ownership.drift(query.source) })),
  ];
}

/** @throws CodedError `not_permitted`: manager users and roles need permissions of their own */
function targetOf({ collection, name, actor }: ObjectName, by: Administrator, verb: 'write' | 'delete'): EntityTarget {
  const resource = administeredResources.find((each) => each.collection === collection);
  if (!resource) throw new Error(`the contract lets the collection ${collection} pass`);
  const permission = `${resource.permissions ?? 'configuration'}:${verb}` as const;
  if (reachOf(by.grants, permission) !== 'all') {
    throw new CodedError('not_permitted', { detail: `This requires the permission ${permissionTitle(permission)}` });
  }
  return { entityType: resource.entityType, name, actor };
}
