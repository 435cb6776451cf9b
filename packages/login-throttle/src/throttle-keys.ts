import { createHash } from 'node:crypto';
import type { BannedSubject, ThrottleScope } from './login-ban.ts';

/** The keys in Redis of the counts of one interface. */
export function throttleKeys(scope: ThrottleScope) {
  return {
    /** Hash: failures by `subjectId`. */
    failures: `waybill:logins:${scope}:failures`,
    /** Sorted set: the same ids by the millisecond at which their failures expire. */
    expiries: `waybill:logins:${scope}:expiries`,
    /** String: the number of pending attempts. Exists only while there are any. */
    pending: (subject: BannedSubject) => `waybill:logins:${scope}:pending:${subjectId(subject)}`,
    /** Sorted set: banned subjects, as JSON, by the millisecond at which the ban ends. */
    bans: `waybill:login-bans:${scope}`,
  };
}

/** A short id of a subject: a user name may have hundreds of bytes, so it is hashed. */
export function subjectId({ address, userName }: BannedSubject): string {
  if (userName === undefined) return `address:${address}`;
  return `user:${createHash('sha256').update(userName).digest('base64url')}:${address}`;
}
