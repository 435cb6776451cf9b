import type { CircuitBreaker } from './circuit-breaker.ts';
import type { Slot, Slots } from './slots.ts';

/** A connection that can be kept open between two uses. */
export interface Reusable {
  /** Whether another use can begin. */
  readonly isUsable: boolean;
  close(): void;
}

/** A connection in use. Disposing of it lets the next step have it, or closes it if it is not usable any more. */
export interface Lease<C> extends Disposable {
  readonly client: C;
}

/** What a pool needs. */
export interface PoolParts<C extends Reusable> {
  readonly slots: Slots;
  readonly breaker: CircuitBreaker;
  /** How long an unused connection is kept. */
  readonly keepMs: number;
  open(signal: AbortSignal): Promise<C>;
}

/** The connections of one client connection: opened when needed, kept for a while. */
export interface ConnectionPool<C extends Reusable> extends Disposable {
  readonly idle: number;
  take(signal: AbortSignal): Promise<Lease<C>>;
}

/** A pool. After its disposal, connections are closed when their uses end. */
export function createConnectionPool<C extends Reusable>({
  slots,
  breaker,
  keepMs,
  open,
}: PoolParts<C>): ConnectionPool<C> {
  const idle = new Map<C, NodeJS.Timeout>();
  let isRetired = false;
  const closeIdle = (client: C): void => {
    clearTimeout(idle.get(client));
    idle.delete(client);
    client.close();
  };
  /** The connection that was used last: the others can go. */
  const takeIdle = (): C | undefined => {
    for (const client of [...idle.keys()].toReversed()) {
      clearTimeout(idle.get(client));
      idle.delete(client);
      if (client.isUsable) return client;
      client.close();
    }
    return undefined;
  };
  const giveBack = (client: C, slot: Slot): void => {
    if (isRetired || !client.isUsable) client.close();
    else idle.set(client, setTimeout(closeIdle, keepMs, client).unref());
    slot[Symbol.dispose]();
  };
  return {
    get idle() {
      return idle.size;
    },
    take: async (signal) => {
      const slot = await slots.take(signal);
      try {
        const client = takeIdle() ?? (await breaker.attempt(() => open(signal)));
        return { client, [Symbol.dispose]: once(() => giveBack(client, slot)) };
      } catch (error) {
        slot[Symbol.dispose]();
        throw error;
      }
    },
    [Symbol.dispose]: () => {
      isRetired = true;
      for (const client of idle.keys()) closeIdle(client);
    },
  };
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}
