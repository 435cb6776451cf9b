import {
  findUserSecondFactorEndpoint,
  resetUserSecondFactorEndpoint,
} from '@waybill/contracts/endpoints/users/user-second-factor-endpoint';
import {
  deleteUserSshKeyEndpoint,
  listUserSshKeysEndpoint,
} from '@waybill/contracts/endpoints/users/user-ssh-key-endpoints';
import type { KeysOfUsers } from '@waybill/directory/accounts/keys-of-users';
import { presentAccountKey } from '@waybill/directory/accounts/present-account-key';
import { bindEndpoint } from '@waybill/http-kit/routing/bind-endpoint';
import type { Route } from '@waybill/http-kit/routing/route';
import { callerOf } from './caller-of.ts';

/** The endpoints about SSH keys and second factors of users of actors. */
export function createUserSshKeyRoutes(keys: KeysOfUsers): Route[] {
  return [
    bindEndpoint(listUserSshKeysEndpoint, async ({ params: { userName }, ...request }) => {
      const found = await keys.list(userName, callerOf(request));
      return { status: 200, body: { keys: found.map(presentAccountKey) } };
    }),
    bindEndpoint(deleteUserSshKeyEndpoint, async ({ params: { userName, id }, ...request }) => {
      await keys.remove(userName, id, callerOf(request));
      return { status: 204 };
    }),
    bindEndpoint(findUserSecondFactorEndpoint, async ({ params: { userName }, ...request }) => {
      const since = await keys.findSecondFactor(userName, callerOf(request));
      return { status: 200, body: { active: since !== undefined, since: since?.toISOString() ?? null } };
    }),
    bindEndpoint(resetUserSecondFactorEndpoint, async ({ params: { userName }, ...request }) => {
      await keys.resetSecondFactor(userName, callerOf(request));
      return { status: 204 };
    }),
  ];
}
