import { isDeepStrictEqual } from 'node:util';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Definition } from '../sources/entity-target.ts';

/** Who sets credentials of manager users. */
export interface CredentialWriter {
  readonly userName: string;
  /** The API key that was sent instead of an access token. */
  readonly apiKeyId?: string | undefined;
  /** The writer has proved the own password, and the second factor, for the own link with an issuer. */
  readonly isProved?: boolean | undefined;
}

/** A manager user with whose new password, or link with an issuer, somebody can log in. */
export interface UserWithCredential {
  readonly name: string;
  readonly credential: 'password' | 'link';
  /** The user is created with it. */
  readonly isNew: boolean;
}

/**
 * A stolen access token or API key must not become a login: a user cannot set the own password or the own link with an issuer here, where
 * the present password is not asked for, and an API key changes none of those that there are. Removing a link is no login.
 * @throws CodedError `not_permitted`
 */
export function assertMaySetCredentials(by: CredentialWriter, users: readonly UserWithCredential[]): void {
  for (const { name, credential, isNew } of users) {
    const isLink = credential === 'link';
    if (name === by.userName && !(isLink && by.isProved)) refuse(isLink ? linkYourself : setYourPassword);
    if (isNew || by.apiKeyId === undefined) continue;
    refuse(`Log in to ${isLink ? 'link' : 'change the password of'} the manager user ${name}${isLink ? issuer : ''}`);
  }
}

const issuer = ' with an issuer';
const setYourPassword = 'Change your own password with auth/password, which needs the present one';
const linkYourself = `Link your own user${issuer} with auth/oidc/link, which needs the password`;

/** The credentials that the new settings of a manager user set. */
export function credentialsIn(
  { managerUsers }: PlatformConfiguration,
  stored: Definition | undefined,
): UserWithCredential[] {
  const isNew = stored === undefined;
  return managerUsers.flatMap(({ name, password, oidc }): UserWithCredential[] => [
    ...(typeof password === 'string' ? [{ name, isNew, credential: 'password' } as const] : []),
    ...(oidc !== undefined && !isDeepStrictEqual({ ...oidc }, stored?.['oidc'])
      ? [{ name, isNew, credential: 'link' } as const]
      : []),
  ]);
}

function refuse(detail: string): never {
  throw new CodedError('not_permitted', { detail });
}
