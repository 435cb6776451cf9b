/** Something that is read again and again, and what is done with it. */
export interface FollowedValue<V> {
  /** Reads the current value. @throws if it is invalid */
  read(): Promise<V>;
  isSame(a: V, b: V): boolean;
  /** Puts a value to use: the first one and each that replaces it. A rejection leaves the one before in use. */
  use(value: V): void | Promise<void>;
  /** Called with the reason why a changed value is not used, once for each reason. */
  refused(error: unknown): void;
  /** How often it is read. */
  readonly intervalMs: number;
}

/** A value that follows its source. */
export interface Follower<V> extends AsyncDisposable {
  /** The value in use. */
  readonly current: V;
  /** Reads the source now. Never rejects. Calls at the same time share one look. */
  look(): Promise<void>;
}

/**
 * Puts a value to use now and whenever its source changes. A changed value that is not valid leaves the one before in use; it
 * is reported when a second look finds it unchanged, because several files cannot be replaced at the same time. Sources are
 * read again, not watched: what Kubernetes, Docker and ACME clients do to folders escapes file watches.
 * @throws Error when the first value is not valid
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
