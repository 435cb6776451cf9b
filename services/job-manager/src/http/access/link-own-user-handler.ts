import type { linkOwnUserEndpoint } from '@waybill/contracts/endpoints/access/link-own-user';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { LinkOwnUser } from '../../domain/access/link-own-user.ts';

/** Links the caller's own user with an outside issuer. */
export function createLinkOwnUserHandler(linkOwnUser: LinkOwnUser): EndpointHandler<typeof linkOwnUserEndpoint> {
  return async ({ body: { currentPassword: password, code, oidc }, principal, actors, clientAddress }) => {
    const attempt = { userName: principal.userName, password, code, clientAddress };
    await linkOwnUser(oidc, { ...principal, actors }, attempt);
    return { status: 204 };
  };
}
