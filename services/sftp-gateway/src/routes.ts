import { liftLoginBanEndpoint } from '@waybill/contracts/endpoints/login-bans/lift-login-ban';
import { listLoginBansEndpoint } from '@waybill/contracts/endpoints/login-bans/list-login-bans';
import { queryServerSessionsEndpoint } from '@waybill/contracts/endpoints/server-sessions/query-server-sessions';
import { terminateServerSessionEndpoint } from '@waybill/contracts/endpoints/server-sessions/terminate-server-session';
import { bindEndpoint } from '@waybill/http-kit/bind-endpoint';
import type { Route } from '@waybill/http-kit/route';
import type { LoginBans } from '@waybill/login-throttle/login-ban';
import type { Clusters } from './domain/sessions/require-server.ts';
import type { SessionAudit } from './domain/sessions/session-audit.ts';
import type { SessionRegistry } from './domain/sessions/session-registry.ts';
import type { SessionTerminator } from './domain/sessions/session-terminator.ts';
import { createLiftLoginBanHandler } from './http/lift-login-ban-handler.ts';
import { createListLoginBansHandler } from './http/list-login-bans-handler.ts';
import { createQuerySessionsHandler } from './http/query-sessions-handler.ts';
import { createTerminateSessionHandler } from './http/terminate-session-handler.ts';

/** The HTTP interface of the gateway: area A, and who is banned. */
export function createRoutes(ports: {
  clusters: Clusters;
  registry: SessionRegistry;
  terminator: SessionTerminator;
  bans: Pick<LoginBans, 'list' | 'lift'>;
  audit: Pick<SessionAudit, 'banLifted'>;
}): Route[] {
  return [
    bindEndpoint(queryServerSessionsEndpoint, createQuerySessionsHandler(ports)),
    bindEndpoint(terminateServerSessionEndpoint, createTerminateSessionHandler(ports)),
    bindEndpoint(listLoginBansEndpoint, createListLoginBansHandler(ports)),
    bindEndpoint(liftLoginBanEndpoint, createLiftLoginBanHandler(ports)),
  ];
}
