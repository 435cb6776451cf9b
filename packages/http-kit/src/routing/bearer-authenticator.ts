import type { Principal } from '@waybill/access/principal';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Authenticator } from './route.ts';

/** Identifies the caller at an address by an access token or an API key. @throws CodedError `not_authenticated` */
export interface TokenVerifier {
  verify(token: string, address: string): Promise<Principal>;
}

/** Authenticates by `Authorization: Bearer <token>` (RFC 6750 section 2.1). */
export function createBearerAuthenticator(verifier: TokenVerifier): Authenticator<Principal> {
  return async ({ headers, clientAddress }) => {
    const [, token] = /^Bearer +([\w.~+/=-]+) *$/iu.exec(headers.authorization ?? '') ?? [];
    if (token === undefined) throw new CodedError('not_authenticated');
    return verifier.verify(token, clientAddress);
  };
}
