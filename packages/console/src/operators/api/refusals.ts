import { RequestFailure } from './request-failure.ts';

/** Refusals that end by themselves: a timeout, and too many requests. */
const passing: ReadonlySet<number> = new Set([408, 429]);

/** Whether the same request would be refused again, such as one for an object that does not exist. */
export function isRefused(error: Error | null): boolean {
  return error instanceof RequestFailure && error.status >= 400 && error.status < 500 && !passing.has(error.status);
}

/** Whether what an address names does not exist, or cannot be a name of it. */
export function isUnknown(error: Error | null): boolean {
  return error instanceof RequestFailure && (error.status === 404 || error.status === 400);
}

/** Whether something was read before and cannot be read again: it is old, which the page says in one place. */
export function isOld(error: Error | null, isRead = false): boolean {
  return isRead && error !== null && !isRefused(error);
}

/** What has failed otherwise than by a refusal is read again after this time at the latest, in milliseconds. */
const tryAgainMs = 5_000;

/**
 * For `refetchInterval`: reads again after this time, but not what was refused at first. TanStack Query forgets the failure of a
 * query without data with each attempt: the page would switch between the failure and its absence.
 */
export function unlessRefused(everyMs: number | false) {
  return ({ state }: { readonly state: { readonly data: unknown; readonly error: Error | null } }): number | false => {
    if (state.data === undefined && isRefused(state.error)) return false;
    if (state.error === null || isRefused(state.error)) return everyMs;
    return everyMs === false ? tryAgainMs : Math.min(everyMs, tryAgainMs);
  };
}
