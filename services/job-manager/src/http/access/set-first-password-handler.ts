import type { setFirstPasswordEndpoint } from '@waybill/contracts/endpoints/access/set-first-password';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { Logins } from '../../domain/access/manage-logins.ts';

/** Sets the first password of a manager user, who is authorized by a code from the operator of the platform. */
export function createSetFirstPasswordHandler(parts: {
  logins: Pick<Logins, 'setFirstPassword'>;
}): EndpointHandler<typeof setFirstPasswordEndpoint> {
  return async ({ body: { username: userName, code, newPassword }, clientAddress }) => {
    const attempt = { userName, password: code, clientAddress };
    await parts.logins.setFirstPassword(attempt, newPassword);
    return { status: 204 };
  };
}
