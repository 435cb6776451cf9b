import { CodedError } from '@waybill/contracts/errors/coded-error';

/** A place among the connections that may be open at a time. Disposing of it gives it to the step that waits longest. */
export type Slot = Disposable;

/** The limit of connections to one partner. */
export interface Slots {
  readonly used: number;
  readonly waiting: number;
  /** @throws CodedError `connection_failed` if none gets free in time; the signal's reason */
  take(signal: AbortSignal): Promise<Slot>;
}

/** `limit` places for the connection of this name; a caller waits for at most `waitMs`, in the order of the calls. */
export function createSlots(name: string, { limit, waitMs }: { limit: number; waitMs: number }): Slots {
  let used = 0;
  const queue = new Set<() => void>();
  const slot = (): Slot => {
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        const [next] = queue;
        if (next) next();
        else used -= 1;
      },
    };
  };
  return {
    get used() {
      return used;
    },
    get waiting() {
      return queue.size;
    },
    take: async (signal) => {
      signal.throwIfAborted();
      if (used < limit) {
        used += 1;
      } else {
        const detail = `All ${limit} places of the connection ${name} are in use`;
        await waitIn(queue, { waitMs, detail, signal });
      }
      return slot();
    },
  };
}

/** Waits until an entry of the queue is called: the callers before it leave the queue first. */
async function waitIn(
  queue: Set<() => void>,
  { waitMs, detail, signal }: { waitMs: number; detail: string; signal: AbortSignal },
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const give = (): void => {
    queue.delete(give);
    resolve();
  };
  const giveUp = (error: unknown): void => {
    queue.delete(give);
    reject(error instanceof Error ? error : new Error('aborted'));
  };
  const timer = setTimeout(() => giveUp(new CodedError('connection_failed', { detail })), waitMs);
  const onAbort = (): void => giveUp(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  queue.add(give);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
