/** A time limit of a request, which its owner can abort, too. */
export interface TimeLimit extends Disposable {
  readonly signal: AbortSignal;
  /** Whether the time is up. */
  isUp(): boolean;
}

/** Starts a time limit, which ends with its disposal; undefined: there is none. */
export function startTimeLimit(afterMs: number | undefined, owner: AbortSignal | null | undefined): TimeLimit {
  const ending = new AbortController();
  let isUp = false;
  const end = (): void => {
    isUp = true;
    ending.abort();
  };
  const timer = afterMs === undefined ? undefined : setTimeout(end, afterMs);
  return {
    signal: owner === undefined || owner === null ? ending.signal : AbortSignal.any([ending.signal, owner]),
    isUp: () => isUp,
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
