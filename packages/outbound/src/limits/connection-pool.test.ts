import { describe, expect, it } from 'vitest';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { createConnectionPool } from './connection-pool.ts';
import { createSlots } from './slots.ts';

function rig({ limit = 2, waitMs = 60_000 } = {}) {
  const opened: { isUsable: boolean; isClosed: boolean; close(): void }[] = [];
  const slots = createSlots('acme', { limit, waitMs });
  const pool = createConnectionPool({
    slots,
    breaker: createCircuitBreaker('acme'),
    keepMs: 60_000,
    open: () => {
      const client = {
        isUsable: true,
        isClosed: false,
        close() {
          client.isClosed = true;
        },
      };
      opened.push(client);
      return Promise.resolve(client);
    },
  });
  return { pool, slots, opened };
}

const { signal } = new AbortController();

describe('a pool of connections', () => {
  it('opens no more than its limit, and serves the others in their order', async () => {
    const { pool, opened, slots } = rig();
    const order: number[] = [];
    const use = async (number: number): Promise<void> => {
      using lease = await pool.take(signal);
      order.push(number);
      expect(slots.used).toBeLessThanOrEqual(2);
      await Promise.resolve(lease);
    };
    await Promise.all(Array.from({ length: 20 }, (_, number) => use(number)));
    expect(order).toEqual(Array.from({ length: 20 }, (_, number) => number));
    expect(opened).toHaveLength(2);
    expect([slots.used, slots.waiting, pool.idle]).toEqual([0, 0, 2]);
  });

  it('reuses a connection, and closes one that is not usable any more', async () => {
    const { pool, opened } = rig();
    (await pool.take(signal))[Symbol.dispose]();
    const again = await pool.take(signal);
    expect(opened).toHaveLength(1);
    again.client.isUsable = false;
    again[Symbol.dispose]();
    again[Symbol.dispose]();
    expect(opened[0]?.isClosed).toBe(true);
    (await pool.take(signal))[Symbol.dispose]();
    expect(opened).toHaveLength(2);
  });

  it('fails a step that waits too long, or is aborted, and keeps its place for another', async () => {
    const { pool, slots } = rig({ limit: 1, waitMs: 10 });
    const held = await pool.take(signal);
    await expect(pool.take(signal)).rejects.toMatchObject({ code: 'connection_failed' });
    const abort = new AbortController();
    const waiting = pool.take(abort.signal);
    abort.abort(new Error('aborted by a user'));
    await expect(waiting).rejects.toThrow('aborted by a user');
    held[Symbol.dispose]();
    expect([slots.used, slots.waiting]).toEqual([0, 0]);
    (await pool.take(signal))[Symbol.dispose]();
  });

  it('closes connections that come back after its end', async () => {
    const { pool, opened } = rig();
    const [one, other] = [await pool.take(signal), await pool.take(signal)];
    other[Symbol.dispose]();
    pool[Symbol.dispose]();
    one[Symbol.dispose]();
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, true]);
  });
});
