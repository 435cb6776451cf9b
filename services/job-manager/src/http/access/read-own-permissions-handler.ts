import { reachOf } from '@waybill/access/principal';
import type { readOwnPermissionsEndpoint } from '@waybill/contracts/endpoints/access/read-own-permissions';
import { permissionNames } from '@waybill/contracts/roles/permissions';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';

/** What the caller may do. */
export const readOwnPermissionsHandler: EndpointHandler<typeof readOwnPermissionsEndpoint> = async ({ principal }) => ({
  status: 200,
  body: {
    userName: principal.userName,
    permissions: permissionNames.flatMap((name) => {
      const reach = reachOf(principal.grants, name);
      return reach.length === 0 ? [] : [{ name, actors: reach === 'all' ? null : [...reach] }];
    }),
  },
});
