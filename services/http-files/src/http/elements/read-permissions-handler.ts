import type { readPermissionsEndpoint } from '@waybill/contracts/endpoints/files/elements/read-permissions';
import { allPermissions } from '@waybill/contracts/values/permission';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { decideOperation } from '@waybill/directory/access/decide-operation';
import type { SessionHandler } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { Caller } from '../../domain/access/caller.ts';

/** Decides each permission as the request that needs it would. */
export function createReadPermissionsHandler(): SessionHandler<typeof readPermissionsEndpoint, Caller> {
  return async ({ params, principal: { mounts } }) => {
    const path = parseVirtualPath(params.path);
    const permissions = allPermissions.filter((permission) => decideOperation(mounts, path, permission).allowed);
    return { status: 200, body: { path, permissions } };
  };
}
