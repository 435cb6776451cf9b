import { createHash } from 'node:crypto';
import type { BannedSubject } from './login-ban.ts';

/** All doors. */
export const throttleScopes = ['http', 'manager', 'sftp'] as const;

/** Separates the doors: failures at one do not close another. */
export type ThrottleScope = (typeof throttleScopes)[number];

/** Names in Redis of what is counted at one door. */
export function throttleKeys(scope: ThrottleScope) {
  return {
    /** String: failures of a user from an address, or of an address. */
    failures: (subject: BannedSubject) => `waybill:login-failures:${scope}:${nameOf(subject)}`,
    /** String: attempts that are being judged. */
    pending: (subject: BannedSubject) => `waybill:login-pending:${scope}:${nameOf(subject)}`,
    /** Sorted set: banned subjects, as JSON, by the millisecond at which the ban ends. */
    bans: `waybill:login-bans:${scope}`,
  };
}

/** A name may be of any length, so it is hashed. */
function nameOf({ address, userName }: BannedSubject): string {
  if (userName === undefined) return `address:${address}`;
  return `user:${createHash('sha256').update(userName).digest('base64url')}:${address}`;
}
