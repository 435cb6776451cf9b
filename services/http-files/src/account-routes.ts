import { addOwnSshKeyEndpoint } from '@waybill/contracts/endpoints/files/account/add-own-ssh-key';
import { changeOwnPasswordEndpoint } from '@waybill/contracts/endpoints/files/account/change-own-password';
import { deleteOwnSshKeyEndpoint } from '@waybill/contracts/endpoints/files/account/delete-own-ssh-key';
import { findOwnAccountEndpoint } from '@waybill/contracts/endpoints/files/account/find-own-account';
import { listOwnSshKeysEndpoint } from '@waybill/contracts/endpoints/files/account/list-own-ssh-keys';
import { listOwnTransfersEndpoint } from '@waybill/contracts/endpoints/files/account/list-own-transfers';
import {
  endOwnSessionEndpoint,
  listOwnSessionsEndpoint,
} from '@waybill/contracts/endpoints/files/account/own-session-endpoints';
import type { OwnKeys } from '@waybill/directory/accounts/own-keys';
import { bindEndpoint } from '@waybill/http-kit/routing/bind-endpoint';
import { bindSessionEndpoint } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { Authenticator, Route } from '@waybill/http-kit/routing/route';
import type { AccountHolder, Caller } from './domain/access/caller.ts';
import type { AccountEvents } from './domain/account/account-events.ts';
import type { ChangePassword } from './domain/account/change-password.ts';
import type { OwnSecondFactor } from './domain/account/own-second-factor.ts';
import type { OwnSessions } from './domain/account/own-sessions.ts';
import type { ListOwnTransfers } from './domain/account/own-transfers.ts';
import { createChangeOwnPasswordHandler } from './http/account/change-own-password-handler.ts';
import { createOwnSecondFactorRoutes } from './http/account/own-second-factor-routes.ts';
import { createEndOwnSessionHandler, createListOwnSessionsHandler } from './http/account/own-session-handlers.ts';
import {
  createAddOwnSshKeyHandler,
  createDeleteOwnSshKeyHandler,
  createListOwnSshKeysHandler,
} from './http/account/own-ssh-key-handlers.ts';
import { createListOwnTransfersHandler } from './http/account/own-transfer-handlers.ts';

/** What the routes of accounts need. */
export interface AccountRouteParts {
  readonly authenticateAccount: Authenticator<AccountHolder>;
  readonly changePassword: ChangePassword;
  readonly authenticateCaller: Authenticator<Caller>;
  readonly ownKeys: OwnKeys;
  readonly ownSessions: OwnSessions;
  readonly ownSecondFactor: OwnSecondFactor;
  readonly listOwnTransfers: ListOwnTransfers;
  readonly events: Pick<AccountEvents, 'sshKeyChanged'>;
}

/** The routes on which users manage their own accounts. */
export function createAccountRoutes(parts: AccountRouteParts): Route[] {
  const { authenticateAccount: account, authenticateCaller: caller } = parts;
  return [
    bindSessionEndpoint(findOwnAccountEndpoint, account, async ({ principal: { userName } }) => {
      return { status: 200, body: { userName } };
    }),
    bindEndpoint(changeOwnPasswordEndpoint, createChangeOwnPasswordHandler(parts)),
    bindSessionEndpoint(listOwnSshKeysEndpoint, account, createListOwnSshKeysHandler(parts)),
    bindSessionEndpoint(addOwnSshKeyEndpoint, account, createAddOwnSshKeyHandler(parts)),
    bindSessionEndpoint(deleteOwnSshKeyEndpoint, account, createDeleteOwnSshKeyHandler(parts)),
    bindSessionEndpoint(listOwnSessionsEndpoint, account, createListOwnSessionsHandler(parts)),
    bindSessionEndpoint(endOwnSessionEndpoint, account, createEndOwnSessionHandler(parts)),
    ...createOwnSecondFactorRoutes(parts.ownSecondFactor, account),
    bindSessionEndpoint(listOwnTransfersEndpoint, caller, createListOwnTransfersHandler(parts)),
  ];
}
