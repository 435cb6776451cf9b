import type { setFirstPasswordEndpoint } from '@waybill/contracts/endpoints/access/set-first-password';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { Logins } from '../../domain/access/manage-logins.ts';

/** Sets the first password of a manager user, who proves by a code that the operator of the platform wants that. */
export function createSetFirstPasswordHandler(parts: {
  logins: Pick<Logins, 'setFirstPassword'>;
}): EndpointHandler<typeof setFirstPasswordEndpoint> {
  return async ({ body: { username: userName, code, newPassword }, clientAddress }) => {
    const attempt = { userName, password: code, clientAddress };
    await parts.logins.setFirstPassword(attempt, newPassword);
    return { status: 204 };
  };
}
