import type { logInEndpoint } from '@waybill/contracts/endpoints/access/log-in';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { Logins } from '../../domain/access/manage-logins.ts';
import { presentTokens } from './present-tokens.ts';

/** Trades a name and a password for tokens. */
export function createLogInHandler({ logins }: { logins: Logins }): EndpointHandler<typeof logInEndpoint> {
  return async ({ body: { username: userName, password, code }, clientAddress }) =>
    presentTokens(await logins.logIn({ userName, password, code, clientAddress }));
}
