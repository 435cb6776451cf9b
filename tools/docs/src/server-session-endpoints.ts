import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
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

/** The endpoints of the document `server-sessions`, in its order. */
export const serverSessionEndpoints: readonly EndpointContract[] = [
  queryServerSessionsEndpoint,
  terminateServerSessionEndpoint,
  listServerSessionsEndpoint,
  followServerSessionsEndpoint,
  listHttpSessionsEndpoint,
  endHttpSessionEndpoint,
  listRunningTransfersEndpoint,
  endRunningTransferEndpoint,
  listUnfinishedUploadsEndpoint,
  deleteUnfinishedUploadEndpoint,
  listUserFreezesEndpoint,
  findUserFreezeEndpoint,
  freezeUserEndpoint,
  thawUserEndpoint,
  listLoginBansEndpoint,
  liftLoginBanEndpoint,
];
