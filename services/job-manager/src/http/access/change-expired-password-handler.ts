import type { changeExpiredPasswordEndpoint } from '@waybill/contracts/endpoints/access/change-expired-password';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { Logins } from '../../domain/access/manage-logins.ts';

/** Changes the password of a manager user whom it does not let in any more. */
export function createChangeExpiredPasswordHandler(parts: {
  logins: Pick<Logins, 'changePassword'>;
}): EndpointHandler<typeof changeExpiredPasswordEndpoint> {
  return async ({ body, clientAddress }) => {
    const { username: userName, currentPassword: password, code, newPassword } = body;
    await parts.logins.changePassword({ userName, password, code, clientAddress }, newPassword);
    return { status: 204 };
  };
}
