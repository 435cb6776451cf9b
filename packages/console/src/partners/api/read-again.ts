import { isRefusal } from './send-request.ts';

/** What was read before and has failed since is read again after this time at the latest, in milliseconds. */
const tryAgainMs = 5_000;

/** For `refetchInterval`: reads again after this time, and sooner what could not be read again, so that the page is up to date soon. */
export function soonAfterFailure(everyMs: number | false) {
  return ({ state }: { readonly state: { readonly data: unknown; readonly error: Error | null } }): number | false => {
    if (state.data === undefined || state.error === null || isRefusal(state.error)) return everyMs;
    return everyMs === false ? tryAgainMs : Math.min(everyMs, tryAgainMs);
  };
}
