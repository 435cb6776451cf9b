import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { PartnerPasswords } from '@waybill/directory/accounts/partner-passwords';
import type { Directory } from '@waybill/directory/directory';
import type { LoginEvents } from '../logins/login-events.ts';
import { type Login, type ProofPorts, proveUser } from '../logins/prove-user.ts';
import type { AccountEvents } from './account-events.ts';

/**
 * Changes the password of a user who proves the present one and, where there is one, the second factor, even if it opens no session any more.
 * @throws CodedError `invalid_credentials`, `too_many_requests`, `password_refused`, `second_factor_required`, `second_factor_refused`
 */
export type ChangePassword = (login: Login, newPassword: string) => Promise<void>;

/** Changes passwords of partner users. Wrong present passwords and codes count as failed logins. */
export function createChangePassword(
  ports: ProofPorts & {
    directory: Pick<Directory, 'findPartnerUser'>;
    passwords: PartnerPasswords;
    events: AccountEvents & Pick<LoginEvents, 'loginThrottled'>;
  },
): ChangePassword {
  const { directory, passwords, events } = ports;
  return async (login, newPassword) => {
    try {
      const proved = await proveUser(ports, login);
      if (typeof proved === 'string') throw new CodedError(proved);
      await passwords.change(proved.user, newPassword);
      events.passwordChanged();
    } catch (error) {
      if (isCodedError(error, 'invalid_credentials', 'password_refused', 'second_factor_refused')) {
        events.passwordRefused(error.code);
        const known = await directory.findPartnerUser(login.userName);
        if (known !== undefined) await passwords.noteRefusal(known, error.code);
      }
      throw error;
    }
  };
}
