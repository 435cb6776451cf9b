import { ChangeOrder } from './change-order.ts';
import type { ChangeSource, StatusChange } from './status-change.ts';

/** Takes the changes, in order; a late one may be repeated. */
export type ChangeListener = (changes: readonly StatusChange[]) => void;

/** A listener that was added. */
export interface Following {
  /** It gets every change after this number. */
  readonly position: number;
  stop(): void;
}

/** The changes of all jobs. Nothing is read as long as there is no listener. */
export interface ChangeFeed extends AsyncDisposable {
  follow(listener: ChangeListener): Promise<Following>;
}

/** How changes are followed. */
export interface ChangeFeedOptions {
  readonly source: Pick<ChangeSource, 'newest' | 'after'>;
  readonly pollMs: number;
  /** How long the changes behind a missing one wait for it, in milliseconds. */
  readonly patienceMs: number;
  onTrouble(error: unknown): void;
}

/** Changes that are read at a time; more follow at once. */
const batchSize = 1_000;

/** Reads the changes for all listeners of this process together, a few times per second. */
export function createChangeFeed({ source, pollMs, patienceMs, onTrouble }: ChangeFeedOptions): ChangeFeed {
  const listeners = new Set<ChangeListener>();
  let order: Promise<ChangeOrder> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> | undefined;
  let isClosed = false;

  const begin = async (): Promise<ChangeOrder> => {
    const begun = new ChangeOrder(await source.newest(batchSize), patienceMs);
    await readNew(source, begun, listeners);
    return begun;
  };
  const schedule = (): void => {
    clearTimeout(timer);
    if (isClosed || listeners.size === 0) return;
    timer = setTimeout(() => {
      polling = (order ?? Promise.resolve(undefined))
        .then((current) => current && readNew(source, current, listeners))
        .catch(onTrouble)
        .finally(schedule);
    }, pollMs);
  };
  const stop = (listener: ChangeListener): void => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearTimeout(timer);
    order = undefined;
  };

  return {
    follow: async (listener) => {
      listeners.add(listener);
      const isFirst = order === undefined;
      const begun = (order ??= begin());
      try {
        const { position } = await begun;
        if (isFirst) schedule();
        return { position, stop: () => stop(listener) };
      } catch (error) {
        if (order === begun) order = undefined;
        stop(listener);
        throw error;
      }
    },
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      clearTimeout(timer);
      listeners.clear();
      await polling;
    },
  };
}

/** Reads all changes that are new since the last time, and tells the listeners. */
async function readNew(
  source: Pick<ChangeSource, 'after'>,
  order: ChangeOrder,
  listeners: ReadonlySet<ChangeListener>,
): Promise<void> {
  for (;;) {
    const batch = await source.after(order.position, order.late, batchSize);
    const before = order.position;
    const changes = order.take(batch, performance.now());
    if (changes.length > 0) for (const listener of listeners) listener(changes);
    if (batch.changes.length < batchSize || order.position === before) return;
  }
}
