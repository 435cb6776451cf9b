/** A value that is read repeatedly, and its use. */
export interface FollowedValue<V> {
  /** Reads the current value. @throws if it is invalid */
  read(): Promise<V>;
  isSame(a: V, b: V): boolean;
  /** Uses a value: the first one and each changed one. After a rejection the previous value stays in use. */
  use(value: V): void | Promise<void>;
  /** Called with the reason why a changed value is not used, once for each reason. */
  refused(error: unknown): void;
  /** The interval of reads. */
  readonly intervalMs: number;
}

/** A value that follows its source. */
export interface Follower<V> extends AsyncDisposable {
  /** The current value. */
  readonly current: V;
  /** Reads the source now. Never rejects. Concurrent calls share one read. */
  look(): Promise<void>;
}

/**
 * Uses a value now and whenever its source changes. If a changed value is invalid, the previous one stays in use; the
 * error is reported if a second read finds the same value, because several files cannot be replaced at the same time.
 * Sources are polled, not watched: file watches miss what Kubernetes, Docker and ACME clients do to folders.
 * @throws Error if the first value is invalid
 */
export async function followValue<V>(followed: FollowedValue<V>): Promise<Follower<V>> {
  const { read, isSame, use, refused, intervalMs } = followed;
  let current = await read();
  await use(current);
  let suspected: string | undefined;
  let reported: string | undefined;
  const lookOnce = async (): Promise<void> => {
    try {
      const value = await read();
      if (!isSame(value, current)) {
        await use(value);
        current = value;
      }
      suspected = undefined;
      reported = undefined;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason === suspected && reason !== reported) {
        refused(error);
        reported = reason;
      }
      suspected = reason;
    }
  };
  let looking: Promise<void> | undefined;
  const look = (): Promise<void> =>
    (looking ??= lookOnce().finally(() => {
      looking = undefined;
    }));
  const repetition = repeat(look, intervalMs);
  return {
    get current() {
      return current;
    },
    look,
    [Symbol.asyncDispose]: async () => {
      await repetition[Symbol.asyncDispose]();
      await looking;
    },
  };
}

function repeat(work: () => Promise<void>, intervalMs: number): AsyncDisposable {
  let running = Promise.resolve();
  let timer: NodeJS.Timeout;
  const schedule = (): void => {
    timer = setTimeout(() => {
      running = work().then(schedule);
    }, intervalMs);
    timer.unref();
  };
  schedule();
  return {
    [Symbol.asyncDispose]: async () => {
      clearTimeout(timer);
      await running;
      clearTimeout(timer);
    },
  };
}
