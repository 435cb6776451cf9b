import type { logOutEndpoint } from '@waybill/contracts/endpoints/access/log-out';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { Logins } from '../../domain/access/manage-logins.ts';

/** Ends a login. */
export function createLogOutHandler({ logins }: { logins: Logins }): EndpointHandler<typeof logOutEndpoint> {
  return async ({ body }) => {
    await logins.logOut(body.refreshToken);
    return { status: 204 };
  };
}
