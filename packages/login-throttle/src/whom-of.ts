import type { BannedSubject } from './login-ban.ts';

/** Whom a ban concerns at its address, in words for the record. */
export function whomOf({ userName }: Pick<BannedSubject, 'userName'>): string {
  return userName === undefined ? 'everybody' : `user ${userName}`;
}
