import type { LoginBan } from '@waybill/login-throttle/login-ban';

/** A ban as the interface shows it. */
export function presentBan({ scope, address, userName, until }: LoginBan) {
  return { door: scope, address, userName: userName ?? null, until: until.toISOString() };
}
