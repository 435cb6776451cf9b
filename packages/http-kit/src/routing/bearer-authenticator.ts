import type { Principal } from '@waybill/access/principal';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { RequestContext } from './endpoint-request.ts';

/** Why a caller is looked up: for a new request, or because the response to an earlier one is still being sent. */
export type Occasion = 'request' | 'response';

/** Identifies the caller at an address by an access token or an API key. @throws CodedError `not_authenticated` */
export interface TokenVerifier {
  verify(token: string, address: string, occasion?: Occasion): Promise<Principal>;
}

/** Identifies the callers of requests by bearer tokens. @throws CodedError `not_authenticated` */
export type BearerAuthenticator = (context: RequestContext, occasion?: Occasion) => Promise<Principal>;

/** Authenticates by `Authorization: Bearer <token>` (RFC 6750 section 2.1). */
export function createBearerAuthenticator(verifier: TokenVerifier): BearerAuthenticator {
  return async ({ headers, clientAddress }, occasion) => {
    const [, token] = /^Bearer +([\w.~+/=-]+) *$/iu.exec(headers.authorization ?? '') ?? [];
    if (token === undefined) throw new CodedError('not_authenticated');
    return verifier.verify(token, clientAddress, occasion);
  };
}
