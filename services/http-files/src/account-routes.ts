import { addOwnSshKeyEndpoint } from '@waybill/contracts/endpoints/files/account/add-own-ssh-key';
import { changeOwnPasswordEndpoint } from '@waybill/contracts/endpoints/files/account/change-own-password';
import { deleteOwnSshKeyEndpoint } from '@waybill/contracts/endpoints/files/account/delete-own-ssh-key';
import { listOwnSshKeysEndpoint } from '@waybill/contracts/endpoints/files/account/list-own-ssh-keys';
import type { OwnKeys } from '@waybill/directory/accounts/own-keys';
import { bindEndpoint } from '@waybill/http-kit/routing/bind-endpoint';
import { bindSessionEndpoint } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { Authenticator, Route } from '@waybill/http-kit/routing/route';
import type { AccountHolder } from './domain/access/caller.ts';
import type { AccountEvents } from './domain/account/account-events.ts';
import type { ChangePassword } from './domain/account/change-password.ts';
import { createChangeOwnPasswordHandler } from './http/account/change-own-password-handler.ts';
import {
  createAddOwnSshKeyHandler,
  createDeleteOwnSshKeyHandler,
  createListOwnSshKeysHandler,
} from './http/account/own-ssh-key-handlers.ts';

/** What the routes of accounts need. */
export interface AccountRouteParts {
  readonly authenticateAccount: Authenticator<AccountHolder>;
  readonly changePassword: ChangePassword;
  readonly ownKeys: OwnKeys;
  readonly events: Pick<AccountEvents, 'sshKeyChanged'>;
}

/** The routes on which users manage their own accounts. */
export function createAccountRoutes(parts: AccountRouteParts): Route[] {
  const { authenticateAccount: account } = parts;
  return [
    bindEndpoint(changeOwnPasswordEndpoint, createChangeOwnPasswordHandler(parts)),
    bindSessionEndpoint(listOwnSshKeysEndpoint, account, createListOwnSshKeysHandler(parts)),
    bindSessionEndpoint(addOwnSshKeyEndpoint, account, createAddOwnSshKeyHandler(parts)),
    bindSessionEndpoint(deleteOwnSshKeyEndpoint, account, createDeleteOwnSshKeyHandler(parts)),
  ];
}
