import type { BannedSubject } from './login-ban.ts';

/** The subject of a ban at its address, in words for the audit log. */
export function whomOf({ userName }: Pick<BannedSubject, 'userName'>): string {
  return userName === undefined ? 'everybody' : `user ${userName}`;
}
