import type { LoginBan } from '@waybill/login-throttle/login-ban';

/** A ban as the interface shows it. */
export function presentBan({ address, userName, until }: LoginBan) {
  return { address, userName: userName ?? null, until: until.toISOString() };
}
