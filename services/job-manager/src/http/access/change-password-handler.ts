import type { changePasswordEndpoint } from '@waybill/contracts/endpoints/access/change-password';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { Logins } from '../../domain/access/manage-logins.ts';

/** Changes the caller's own password. */
export function createChangePasswordHandler(parts: { logins: Logins }): EndpointHandler<typeof changePasswordEndpoint> {
  return async ({ body, principal, clientAddress }) => {
    if (principal.apiKeyId !== undefined) {
      throw new CodedError('not_permitted', { detail: 'Log in to change the password' });
    }
    const attempt = { userName: principal.userName, password: body.currentPassword, code: body.code, clientAddress };
    await parts.logins.changePassword(attempt, body.newPassword);
    return { status: 204 };
  };
}
