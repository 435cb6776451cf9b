import { CodedError } from '@waybill/contracts/errors/coded-error';

/** Who sets passwords of manager users. */
export interface PasswordWriter {
  readonly userName: string;
  /** The API key that was sent instead of an access token. */
  readonly apiKeyId: string | undefined;
}

/** A manager user whose password is set. */
export interface UserWithPassword {
  readonly name: string;
  /** The user is created with it. */
  readonly isNew: boolean;
}

/**
 * A stolen access token or API key must not become a login: nobody sets the own password here, where the present one is not asked
 * for, and an API key changes none of those that there are. @throws CodedError `not_permitted`
 */
export function assertMaySetPasswords(by: PasswordWriter, users: readonly UserWithPassword[]): void {
  for (const { name, isNew } of users) {
    if (name === by.userName) refuse('Change your own password with auth/password, which needs the present one');
    if (!isNew && by.apiKeyId !== undefined) refuse(`Log in to change the password of the manager user ${name}`);
  }
}

function refuse(detail: string): never {
  throw new CodedError('not_permitted', { detail });
}
