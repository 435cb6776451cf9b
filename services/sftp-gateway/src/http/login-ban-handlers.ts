import type { liftLoginBanEndpoint } from '@waybill/contracts/endpoints/login-bans/lift-login-ban';
import type { listLoginBansEndpoint } from '@waybill/contracts/endpoints/login-bans/list-login-bans';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { LoginBans, LoginBan } from '@waybill/login-throttle/login-ban';
import type { SessionAudit } from '../domain/sessions/session-audit.ts';

/** The bans in force. */
export function createListLoginBansHandler({
  bans,
}: {
  bans: Pick<LoginBans, 'list'>;
}): EndpointHandler<typeof listLoginBansEndpoint> {
  return async () => ({ status: 200, body: { bans: (await bans.list()).map(presentBan) } });
}

/** Lifts the bans of an address, and audits that. */
export function createLiftLoginBanHandler(ports: {
  bans: Pick<LoginBans, 'lift'>;
  audit: Pick<SessionAudit, 'banLifted'>;
}): EndpointHandler<typeof liftLoginBanEndpoint> {
  const { bans, audit } = ports;
  return async ({ params: { address }, principal }) => {
    const lifted = await bans.lift(address);
    if (lifted.length === 0) throw new CodedError('ban_unknown', { detail: `The address ${address} is not banned` });
    for (const ban of lifted) await audit.banLifted(ban, principal.userName);
    return { status: 200, body: { bans: lifted.map(presentBan) } };
  };
}

/** A ban as the interface shows it. */
function presentBan({ scope, address, userName, until }: LoginBan) {
  return { door: scope, address, userName: userName ?? null, until: until.toISOString() };
}
