import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { PartnerPasswords } from '@waybill/directory/accounts/partner-passwords';
import type { Directory } from '@waybill/directory/directory';
import { judgeLogin } from '@waybill/login-throttle/judge-login';
import type { LoginThrottle } from '@waybill/login-throttle/login-throttle';
import type { Login } from '../logins/log-in.ts';
import type { LoginEvents } from '../logins/login-events.ts';
import type { AccountEvents } from './account-events.ts';

/**
 * Changes the password of a user who proves the present one, even if it opens no session any more.
 * @throws CodedError `invalid_credentials`, `too_many_requests`, `password_refused`
 */
export type ChangePassword = (login: Login, newPassword: string) => Promise<void>;

/** Changes passwords of partner users. Wrong present passwords count as failed logins. */
export function createChangePassword(ports: {
  directory: Pick<Directory, 'authenticatePartnerUser' | 'findPartnerUser'>;
  throttle: LoginThrottle;
  passwords: PartnerPasswords;
  events: AccountEvents & Pick<LoginEvents, 'loginThrottled'>;
}): ChangePassword {
  const { directory, throttle, passwords, events } = ports;
  return async ({ password, ...attempt }, newPassword) => {
    const { userName } = attempt;
    try {
      const user = await judgeLogin(throttle, attempt, () => directory.authenticatePartnerUser(userName, password));
      if (user === undefined) throw new CodedError('invalid_credentials');
      await passwords.change(user, newPassword);
      events.passwordChanged();
    } catch (error) {
      if (isCodedError(error, 'too_many_requests')) events.loginThrottled(attempt);
      if (isCodedError(error, 'invalid_credentials', 'password_refused')) {
        events.passwordRefused(error.code);
        const known = await directory.findPartnerUser(userName);
        if (known !== undefined) await passwords.noteRefusal(known, error.code);
      }
      throw error;
    }
  };
}
