import type { ActorScope } from '@waybill/access/principal';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';

/** Looks up again and again whether callers may still receive the responses that are being sent to them. */
export interface CallerWatch {
  /** Watches a response until it is disposed of. `check` rejects with `not_authenticated` or `not_permitted`. */
  watch(check: () => Promise<void>): WatchedCaller;
}

/** The caller of a response that is being sent. */
export interface WatchedCaller extends Disposable {
  /** Fires with the refusal when the response has to end. */
  readonly signal: AbortSignal;
}

/** The times of a watch, in milliseconds. */
export interface CallerWatchTimes {
  /** How often the callers are looked up. */
  readonly intervalMs?: number;
  /** How long a response is sent while nobody can be looked up. */
  readonly outageMs?: number;
}

interface Entry {
  readonly check: () => Promise<void>;
  readonly withdrawn: AbortController;
  isChecking: boolean;
  /** When the caller was last found to be permitted. */
  confirmedAt: number;
}

/**
 * A watch of all responses of a server, with one timer. The lookups of one caller are those of an authority, which remembers them
 * for a second: a caller with many responses costs as much as one with a single response.
 */
export function createCallerWatch({ intervalMs = 500, outageMs = 30_000 }: CallerWatchTimes = {}): CallerWatch {
  const entries = new Set<Entry>();
  let timer: NodeJS.Timeout | undefined;
  const remove = (entry: Entry): void => {
    entries.delete(entry);
    if (entries.size === 0) clearInterval(timer);
  };
  const withdraw = (entry: Entry, refusal: unknown): void => {
    remove(entry);
    entry.withdrawn.abort(refusal);
  };
  const check = async (entry: Entry): Promise<void> => {
    entry.isChecking = true;
    try {
      await entry.check();
      entry.confirmedAt = performance.now();
    } catch (error) {
      if (isCodedError(error, 'not_authenticated', 'not_permitted')) withdraw(entry, error);
    } finally {
      entry.isChecking = false;
    }
  };
  const checkAll = (): void => {
    for (const entry of entries) {
      if (performance.now() - entry.confirmedAt > outageMs) withdraw(entry, new CodedError('service_unavailable'));
      else if (!entry.isChecking) void check(entry);
    }
  };
  return {
    watch: (checkCaller) => {
      const withdrawn = new AbortController();
      const entry = { check: checkCaller, withdrawn, isChecking: false, confirmedAt: performance.now() };
      if (entries.size === 0) timer = setInterval(checkAll, intervalMs).unref();
      entries.add(entry);
      return { signal: withdrawn.signal, [Symbol.dispose]: () => remove(entry) };
    },
  };
}

/** @throws CodedError `not_permitted` if a permission no longer reaches all actors that it reached */
export function assertStillReaches(reached: ActorScope, now: ActorScope): void {
  const isSmaller = now !== undefined && (reached === undefined || reached.some((actor) => !now.includes(actor)));
  if (isSmaller) throw new CodedError('not_permitted', { detail: 'The permission is limited to other actors now' });
}
