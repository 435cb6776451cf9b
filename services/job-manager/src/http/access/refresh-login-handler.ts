import type { refreshLoginEndpoint } from '@waybill/contracts/endpoints/access/refresh-login';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { Logins } from '../../domain/access/manage-logins.ts';
import { presentTokens } from './present-tokens.ts';

/** Trades a refresh token for new tokens. */
export function createRefreshLoginHandler(parts: { logins: Logins }): EndpointHandler<typeof refreshLoginEndpoint> {
  return async ({ body }) => presentTokens(await parts.logins.refresh(body.refreshToken));
}
