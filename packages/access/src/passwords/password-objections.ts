import type { PasswordRules } from '@waybill/contracts/configuration/accounts/account-policy';
import { isCommonPassword } from './common-passwords.ts';

/** A shorter name may be part of a password. */
const leastNameLength = 4;

/** Why the rules refuse a password, each as a phrase about it; empty if they allow it. Costs no hashing. */
export function passwordObjections(
  { minimumLength, blockCommon }: Pick<PasswordRules, 'minimumLength' | 'blockCommon'>,
  userName: string,
  password: string,
): string[] {
  const text = password.normalize('NFC').toLowerCase();
  const name = userName.toLowerCase();
  return [
    ...(Array.from(text).length < minimumLength ? [`needs ${minimumLength} characters or more`] : []),
    ...(text === name || (name.length >= leastNameLength && text.includes(name)) ? ['contains the user name'] : []),
    ...(blockCommon && isCommonPassword(password) ? ['is one of those that are guessed first'] : []),
  ];
}
