import { describe, expect, it, vi } from 'vitest';
import { startTimeLimit, waitUnlessAborted } from './time-limit.ts';

const pause = (forMs: number) => new Promise((resolve) => setTimeout(resolve, forMs));

describe('the time limit of a request', () => {
  it('ends what has no answer in time', async () => {
    const limit = startTimeLimit(20, undefined);
    expect([limit.signal.aborted, limit.lateMs()]).toEqual([false, undefined]);
    await pause(60);
    expect([limit.signal.aborted, limit.lateMs()]).toEqual([true, 20]);
  });

  it('ends nothing after it was stopped, and without a time', async () => {
    const stopped = startTimeLimit(20, undefined);
    stopped.stop();
    const endless = startTimeLimit(undefined, null);
    await pause(60);
    expect([stopped.signal.aborted, endless.signal.aborted]).toEqual([false, false]);
  });

  it('tells the end of the time from that by the owner', () => {
    const owner = new AbortController();
    const limit = startTimeLimit(1_000, owner.signal);
    owner.abort();
    expect([limit.signal.aborted, limit.lateMs()]).toEqual([true, undefined]);
    limit.stop();
  });

  it('begins again when something arrives', async () => {
    const limit = startTimeLimit(200, undefined);
    for (let part = 0; part < 8; part += 1) {
      await pause(50);
      limit.restart(201);
    }
    expect(limit.signal.aborted).toBe(false);
    await pause(300);
    expect([limit.signal.aborted, limit.lateMs()]).toEqual([true, 201]);
  });
});

describe('a wait that a signal ends', () => {
  /** A signal, and how many listeners it has. */
  const watchedSignal = () => {
    const controller = new AbortController();
    const { signal } = controller;
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    const listeners = () => {
      const left = new Set(added.mock.calls.map(([, listener]) => listener));
      for (const [, listener] of removed.mock.calls) left.delete(listener);
      return left.size;
    };
    return { controller, signal, listeners };
  };

  it('leaves nothing at the signal, however often it is waited', async () => {
    const { signal, listeners } = watchedSignal();
    for (let times = 0; times < 20; times += 1) await waitUnlessAborted(1, signal);
    expect(listeners()).toBe(0);
  });

  it('ends at once with the signal', async () => {
    const { controller, signal, listeners } = watchedSignal();
    const waiting = waitUnlessAborted(60_000, signal);
    expect(listeners()).toBe(1);
    controller.abort();
    await waiting;
    expect(listeners()).toBe(0);
  });
});
