import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { OidcLink } from '@waybill/directory/users/manager-user';
import type { Administration, Administrator } from '../administration/administration.ts';
import type { LoginAttempt, ProvedIdentity } from './prove-identity.ts';

/**
 * Links the manager user who asks with an outside issuer, and audits that.
 * @throws CodedError `not_permitted` with an API key; as a login, if the password or the code is wrong; as a change of the manager user
 */
export type LinkOwnUser = (link: OidcLink, by: Administrator, attempt: LoginAttempt) => Promise<void>;

/** The link is a way to log in: like the password and the second factor, it takes a proof of who asks. */
export function createLinkOwnUser(parts: {
  readonly administration: Pick<Administration, 'put'>;
  readonly proveIdentity: (attempt: LoginAttempt) => Promise<ProvedIdentity>;
}): LinkOwnUser {
  return async (link, by, attempt) => {
    if (by.apiKeyId !== undefined) {
      throw new CodedError('not_permitted', { detail: 'Log in to link your user with an issuer' });
    }
    await parts.proveIdentity(attempt);
    const target = { entityType: 'Internal User', name: by.userName } as const;
    const settings = (stored: Readonly<Record<string, unknown>> = {}) => ({ ...stored, oidc: link });
    await parts.administration.put({ target, settings, ifPresent: true }, { ...by, isProved: true });
  };
}
