import type { addOwnSshKeyEndpoint } from '@waybill/contracts/endpoints/files/account/add-own-ssh-key';
import type { deleteOwnSshKeyEndpoint } from '@waybill/contracts/endpoints/files/account/delete-own-ssh-key';
import type { listOwnSshKeysEndpoint } from '@waybill/contracts/endpoints/files/account/list-own-ssh-keys';
import type { OwnKeys } from '@waybill/directory/accounts/own-keys';
import { presentAccountKey } from '@waybill/directory/accounts/present-account-key';
import type { SessionHandler } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { AccountHolder } from '../../domain/access/caller.ts';
import { fileResult } from '../file-result.ts';

/** Lists the SSH keys of the caller. */
export function createListOwnSshKeysHandler(parts: {
  ownKeys: OwnKeys;
}): SessionHandler<typeof listOwnSshKeysEndpoint, AccountHolder> {
  return async ({ principal: { user } }) => {
    const { keys, rules } = await parts.ownKeys.list(user);
    return { status: 200, body: { keys: keys.map(presentAccountKey), rules } };
  };
}

/** Adds an SSH key of the caller. */
export function createAddOwnSshKeyHandler(parts: {
  ownKeys: OwnKeys;
  events: { sshKeyChanged(change: 'added' | 'deleted'): void };
}): SessionHandler<typeof addOwnSshKeyEndpoint, AccountHolder> {
  return async ({ principal: { user }, body: { key, comment, expires } }) => {
    const added = await parts.ownKeys.add(user, { key, comment, expires });
    parts.events.sshKeyChanged('added');
    return { status: 201, body: presentAccountKey(added) };
  };
}

/** Deletes an SSH key that the caller has added. */
export function createDeleteOwnSshKeyHandler(parts: {
  ownKeys: OwnKeys;
  events: { sshKeyChanged(change: 'added' | 'deleted'): void };
}): SessionHandler<typeof deleteOwnSshKeyEndpoint, AccountHolder> {
  return async ({ principal: { user }, params: { id } }) => {
    await parts.ownKeys.remove(user, id);
    parts.events.sshKeyChanged('deleted');
    return { status: 200, body: fileResult('SSH key deleted') };
  };
}
