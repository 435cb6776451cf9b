import { lastDayOf } from '@waybill/contracts/configuration/expiry';

/** How long before its end a key is warned of. */
const noticeDays = 30;
const dayMs = 86_400_000;

/** What to warn of a key that ends at `end`: it has expired, or expires within 30 days. */
export function objectionToEnd(end: Date, now: Date): string | undefined {
  const shown = lastDayOf(end.toISOString()) ?? end.toISOString();
  if (end <= now) return `the key has expired: ${shown}`;
  return end.getTime() < now.getTime() + noticeDays * dayMs ? `the key expires soon: ${shown}` : undefined;
}
