import { liftLoginBanEndpoint } from '@waybill/contracts/endpoints/login-bans/lift-login-ban';
import { listLoginBansEndpoint } from '@waybill/contracts/endpoints/login-bans/list-login-bans';
import { endRunningTransferEndpoint } from '@waybill/contracts/endpoints/server-sessions/end-running-transfer';
import { followServerSessionsEndpoint } from '@waybill/contracts/endpoints/server-sessions/follow-server-sessions';
import {
  endHttpSessionEndpoint,
  listHttpSessionsEndpoint,
} from '@waybill/contracts/endpoints/server-sessions/http-session-endpoints';
import { listRunningTransfersEndpoint } from '@waybill/contracts/endpoints/server-sessions/list-running-transfers';
import { listServerSessionsEndpoint } from '@waybill/contracts/endpoints/server-sessions/list-server-sessions';
import { listUserFreezesEndpoint } from '@waybill/contracts/endpoints/server-sessions/list-user-freezes';
import { queryServerSessionsEndpoint } from '@waybill/contracts/endpoints/server-sessions/query-server-sessions';
import { terminateServerSessionEndpoint } from '@waybill/contracts/endpoints/server-sessions/terminate-server-session';
import {
  deleteUnfinishedUploadEndpoint,
  listUnfinishedUploadsEndpoint,
} from '@waybill/contracts/endpoints/server-sessions/unfinished-upload-endpoints';
import { findUserFreezeEndpoint } from '@waybill/contracts/endpoints/users/find-user-freeze';
import { freezeUserEndpoint } from '@waybill/contracts/endpoints/users/freeze-user';
import { thawUserEndpoint } from '@waybill/contracts/endpoints/users/thaw-user';
import { bindEndpoint } from '@waybill/http-kit/routing/bind-endpoint';
import type { Route } from '@waybill/http-kit/routing/route';
import type { LoginBans } from '@waybill/login-throttle/login-ban';
import type { HttpSessionEvents, HttpSessions } from './domain/sessions/http-sessions.ts';
import type { Clusters } from './domain/sessions/require-server.ts';
import type { SessionAudit } from './domain/sessions/session-audit.ts';
import type { SessionRegistry } from './domain/sessions/session-registry.ts';
import type { SessionTerminator } from './domain/sessions/session-terminator.ts';
import type { HttpTransfers } from './domain/transfers/running-transfer.ts';
import type { OwnedUploads, UploadEvents } from './domain/uploads/unfinished-uploads.ts';
import { createEndHttpSessionHandler, createListHttpSessionsHandler } from './http/http-session-handlers.ts';
import { createLiftLoginBanHandler, createListLoginBansHandler } from './http/login-ban-handlers.ts';
import type { SessionFollowers } from './http/session-followers.ts';
import {
  createFollowSessionsHandler,
  createListSessionsHandler,
  createQuerySessionsHandler,
  createTerminateSessionHandler,
  type ReachedUsers,
} from './http/session-handlers.ts';
import { createEndTransferHandler, createListTransfersHandler } from './http/transfer-handlers.ts';
import { createDeleteUnfinishedUploadHandler, createListUnfinishedUploadsHandler } from './http/upload-handlers.ts';
import {
  createFindUserFreezeHandler,
  createFreezeUserHandler,
  createListUserFreezesHandler,
  createThawUserHandler,
  type UserFreezePorts,
} from './http/user-freeze-handlers.ts';

/** The HTTP interface of the gateway: area A, unfinished uploads, bans and freezes. */
export function createRoutes(ports: {
  directory: Clusters & UserFreezePorts['users'];
  registry: SessionRegistry;
  terminator: SessionTerminator;
  bans: Pick<LoginBans, 'list' | 'lift' | 'liftOfUser'>;
  audit: Pick<SessionAudit, 'banLifted'>;
  followers: SessionFollowers;
  httpTransfers: HttpTransfers;
  httpSessions: HttpSessions;
  uploads: OwnedUploads;
  events: HttpSessionEvents & UploadEvents;
  freezes: UserFreezePorts['freezes'];
  reachedUsers: ReachedUsers;
}): Route[] {
  const freezes = { ...ports, users: ports.directory };
  const sessions = { ...ports, clusters: ports.directory };
  return [
    bindEndpoint(listServerSessionsEndpoint, createListSessionsHandler(ports)),
    bindEndpoint(listHttpSessionsEndpoint, createListHttpSessionsHandler(ports)),
    bindEndpoint(endHttpSessionEndpoint, createEndHttpSessionHandler(ports)),
    bindEndpoint(listRunningTransfersEndpoint, createListTransfersHandler(ports)),
    bindEndpoint(endRunningTransferEndpoint, createEndTransferHandler(sessions)),
    bindEndpoint(listUnfinishedUploadsEndpoint, createListUnfinishedUploadsHandler(ports)),
    bindEndpoint(deleteUnfinishedUploadEndpoint, createDeleteUnfinishedUploadHandler(ports)),
    bindEndpoint(followServerSessionsEndpoint, createFollowSessionsHandler(ports)),
    bindEndpoint(listUserFreezesEndpoint, createListUserFreezesHandler(freezes)),
    bindEndpoint(findUserFreezeEndpoint, createFindUserFreezeHandler(freezes)),
    bindEndpoint(freezeUserEndpoint, createFreezeUserHandler(freezes)),
    bindEndpoint(thawUserEndpoint, createThawUserHandler(freezes)),
    bindEndpoint(queryServerSessionsEndpoint, createQuerySessionsHandler(sessions)),
    bindEndpoint(terminateServerSessionEndpoint, createTerminateSessionHandler(sessions)),
    bindEndpoint(listLoginBansEndpoint, createListLoginBansHandler(ports)),
    bindEndpoint(liftLoginBanEndpoint, createLiftLoginBanHandler(ports)),
  ];
}
