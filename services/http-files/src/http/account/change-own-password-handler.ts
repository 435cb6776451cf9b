import type { changeOwnPasswordEndpoint } from '@waybill/contracts/endpoints/files/account/change-own-password';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { ChangePassword } from '../../domain/account/change-password.ts';
import { fileResult } from '../file-result.ts';

/** Changes the password of the user whom the body names. */
export function createChangeOwnPasswordHandler(parts: {
  changePassword: ChangePassword;
}): EndpointHandler<typeof changeOwnPasswordEndpoint> {
  return async ({ body: { username: userName, currentPassword: password, code, newPassword }, clientAddress }) => {
    await parts.changePassword({ userName, password, code, clientAddress }, newPassword);
    return { status: 200, body: fileResult('Password changed') };
  };
}
