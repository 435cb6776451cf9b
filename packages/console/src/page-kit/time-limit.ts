/** A time limit of a request, which its owner can abort, too. */
export interface TimeLimit {
  /** Aborts the request when the time is up, or when its owner does. */
  readonly signal: AbortSignal;
  /** Whether the time is up. */
  isUp(): boolean;
  /** Begins again with the whole time: something has arrived. */
  restart(): void;
  /** Ends the limit, not the request. */
  stop(): void;
}

/** Starts a time limit; undefined: there is none. */
export function startTimeLimit(afterMs: number | undefined, owner: AbortSignal | null | undefined): TimeLimit {
  const ending = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => clearTimeout(timer);
  const restart = (): void => {
    stop();
    if (afterMs !== undefined) timer = setTimeout(() => ending.abort(), afterMs);
  };
  restart();
  return {
    signal: owner === undefined || owner === null ? ending.signal : AbortSignal.any([ending.signal, owner]),
    isUp: () => ending.signal.aborted,
    restart,
    stop,
  };
}

/**
 * The text of a body, piece by piece, however long that takes: the limit begins again with each piece. Who ends before the body does
 * ends the request, too.
 */
export async function* piecesInTime(
  { body }: Pick<Response, 'body'>,
  limit: Pick<TimeLimit, 'restart'>,
): AsyncGenerator<string> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      limit.restart();
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
