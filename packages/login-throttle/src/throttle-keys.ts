import { createHash } from 'node:crypto';
import type { BannedSubject, ThrottleScope } from './login-ban.ts';

/** Names in Redis of what is counted at one door. */
export function throttleKeys(scope: ThrottleScope) {
  return {
    /** Hash: failures by `subjectId`. */
    failures: `waybill:logins:${scope}:failures`,
    /** Sorted set: the same ids by the millisecond at which their failures are forgotten. */
    expiries: `waybill:logins:${scope}:expiries`,
    /** String: attempts that are being judged. Exists for as long as there are any. */
    pending: (subject: BannedSubject) => `waybill:logins:${scope}:pending:${subjectId(subject)}`,
    /** Sorted set: banned subjects, as JSON, by the millisecond at which the ban ends. */
    bans: `waybill:login-bans:${scope}`,
  };
}

/** Names a subject in few bytes: a user name may have hundreds, so it is hashed. */
export function subjectId({ address, userName }: BannedSubject): string {
  if (userName === undefined) return `address:${address}`;
  return `user:${createHash('sha256').update(userName).digest('base64url')}:${address}`;
}
