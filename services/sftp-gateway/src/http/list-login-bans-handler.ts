import type { listLoginBansEndpoint } from '@waybill/contracts/endpoints/login-bans/list-login-bans';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { LoginBans } from '@waybill/login-throttle/login-ban';
import { presentBan } from './present-ban.ts';

/** The bans in force. */
export function createListLoginBansHandler({
  bans,
}: {
  bans: Pick<LoginBans, 'list'>;
}): EndpointHandler<typeof listLoginBansEndpoint> {
  return async () => ({ status: 200, body: { bans: (await bans.list()).map(presentBan) } });
}
