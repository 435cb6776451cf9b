import { runWhenWoken } from '@waybill/service-kit/run-when-woken';

/** How items are written. */
export interface BatchOptions<Item, Result> {
  /** Items of one statement at most. */
  readonly limit: number;
  /**
   * Writes items in one statement that waits for no other transaction. Returns a result for each, in their order;
   * `undefined` for one that it has not decided.
   */
  writeAll(items: readonly Item[]): Promise<readonly (Result | undefined)[]>;
  /** Writes one item, and decides it. */
  writeOne(item: Item): Promise<Result>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(result: Promise<Result> | Result): void;
  reject(error: unknown): void;
}

/**
 * Writes items of concurrent callers together. Items that arrive while a statement runs are written by the next one; without
 * such a statement an item does not wait. No item harms another: one that the statement does not decide is written alone,
 * and so is each if PostgreSQL refuses the statement because of the data in it. After any other failure, such as a lost
 * connection, all of them fail: the statement may have been committed.
 */
export function createBatches<Item, Result>(options: BatchOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { limit, writeAll, writeOne } = options;
  const waiting: Waiting<Item, Result>[] = [];
  const write = async (batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await writeAll(batch.map(({ item }) => item));
      for (const [index, { item, resolve }] of batch.entries()) resolve(results[index] ?? writeOne(item));
    } catch (error) {
      for (const { item, resolve, reject } of batch) {
        if (isRefused(error)) resolve(writeOne(item));
        else reject(error);
      }
    }
  };
  const loop = runWhenWoken(async () => {
    // Items of the same turn of the event loop are written together.
    await new Promise(setImmediate);
    while (waiting.length > 0) await write(waiting.splice(0, limit));
  });
  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    waiting.push({ item, resolve, reject });
    loop.wake();
    return promise;
  };
}

/**
 * Whether PostgreSQL has refused a statement for what is in it, so that nothing of it is committed: an exception of its
 * data, of a constraint, of a limit of the program (classes 22, 23 and 54), or a conflict with another transaction. After
 * any other failure, such as a lost connection, it may be committed.
 */
export function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:(?:22|23|54)\w{3}|40001|40P01)$/u.test(String(error.code));
}
