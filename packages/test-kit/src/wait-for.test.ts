import { describe, expect, it } from 'vitest';
import { waitFor } from './wait-for.ts';

describe('waitFor', () => {
  it('resolves with the first truthy value', async () => {
    let asked = 0;
    const value = await waitFor(() => (asked++ < 3 ? undefined : 'here'), { what: 'a value', intervalMs: 1 });
    expect(value).toBe('here');
    expect(asked).toBe(4);
  });

  it('asks less often the longer it waits', async () => {
    const begunAt = performance.now();
    let asked = 0;
    const isOver = (): boolean => {
      asked += 1;
      return performance.now() - begunAt > 1_000;
    };
    await waitFor(isOver, { what: 'a second' });
    // Every 20 ms it would be 50 times.
    expect(asked).toBeLessThan(35);
  });

  it('names what it waited for, and carries what the condition threw last', async () => {
    const refused = new Error('refused');
    const wait = waitFor(() => Promise.reject(refused), { what: 'the door', timeoutMs: 5, intervalMs: 1 });
    await expect(wait).rejects.toMatchObject({ message: 'waited 5 ms in vain for the door', cause: refused });
  });
});
