/** A time limit of a request, which its owner can abort, too. */
export interface TimeLimit {
  /** Aborts the request when the time is up, or when its owner does. */
  readonly signal: AbortSignal;
  /** How long the time was, in milliseconds, if it is up. */
  lateMs(): number | undefined;
  /** Begins again: something has arrived. */
  restart(afterMs: number): void;
  /** Ends the limit, not the request. */
  stop(): void;
}

/** Starts a time limit; undefined: there is none. */
export function startTimeLimit(afterMs: number | undefined, owner: AbortSignal | null | undefined): TimeLimit {
  const ending = new AbortController();
  let lateMs: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => clearTimeout(timer);
  const restart = (newMs: number): void => {
    stop();
    timer = setTimeout(() => {
      lateMs = newMs;
      ending.abort();
    }, newMs);
  };
  if (afterMs !== undefined) restart(afterMs);
  return {
    signal: owner === undefined || owner === null ? ending.signal : AbortSignal.any([ending.signal, owner]),
    lateMs: () => lateMs,
    restart,
    stop,
  };
}

/** Waits for some time, or until the signal. It leaves nothing at the signal, which may live as long as the page. */
export function waitUnlessAborted(forMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, forMs);
    signal.addEventListener('abort', end);
  });
}
