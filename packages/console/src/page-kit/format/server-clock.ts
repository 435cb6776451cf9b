/** Smaller differences are those of the network, and of the seconds that HTTP has. */
const toleranceMs = 5_000;

/** How far the clock of the server is ahead of that of the browser, in milliseconds. */
let aheadMs = 0;

/**
 * Takes the clock of the server from a response that has just arrived. One that a cache may have kept has the time at which it was
 * made: it says nothing.
 */
export function noteServerTime({ headers }: Pick<Response, 'headers'>): void {
  const isKept = !/\bno-store\b/iu.test(headers.get('cache-control') ?? '') || Number(headers.get('age') ?? 0) > 0;
  const differenceMs = Date.parse(headers.get('date') ?? '') - Date.now();
  if (isKept || Number.isNaN(differenceMs)) return;
  aheadMs = Math.abs(differenceMs) < toleranceMs ? 0 : differenceMs;
}

/** What time it is for the server, whose times pages show, in milliseconds since 1970. The clock of a browser may be wrong. */
export function serverNow(): number {
  return Date.now() + aheadMs;
}

/** A time of the clock of the browser, as the server would have it. */
export function serverTime(browserMs: number): string {
  return new Date(browserMs + aheadMs).toISOString();
}
