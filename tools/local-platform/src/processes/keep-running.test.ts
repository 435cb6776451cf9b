import { describe, expect, it, vi } from 'vitest';
import { keepRunning, type Running } from './keep-running.ts';

/** A process that runs until it is stopped or `crash` is called. */
function fakeProcess() {
  const { promise: exited, resolve } = Promise.withResolvers<Awaited<Running['exited']>>();
  const stop = vi.fn<() => Promise<void>>(() => Promise.resolve(resolve({ code: 0, signal: null })));
  return { exited, stop, crash: () => resolve({ code: null, signal: 'SIGKILL' }) };
}

describe('keepRunning', () => {
  it('restarts what ends unexpectedly, and reports it', async () => {
    const processes = [fakeProcess(), fakeProcess()] as const;
    const start = vi.fn<() => Promise<Running>>();
    start.mockResolvedValueOnce(processes[0]).mockResolvedValueOnce(processes[1]);
    const lines: string[] = [];
    await using _kept = await keepRunning({ name: 'audit', start, report: (line) => lines.push(line) });
    processes[0].crash();
    await expect.poll(() => lines).toEqual(['audit ended (SIGKILL): starting it again', 'audit runs again']);
  });

  it('tries again when a new start fails', async () => {
    const [first, third] = [fakeProcess(), fakeProcess()];
    const start = vi.fn<() => Promise<Running>>();
    start.mockResolvedValueOnce(first).mockRejectedValueOnce(new Error('no memory')).mockResolvedValueOnce(third);
    await using _kept = await keepRunning({ name: 'audit', start, report: () => {} });
    first.crash();
    await expect.poll(() => start.mock.calls.length).toBe(3);
  });

  it('stops what runs and starts nothing after it is disposed of', async () => {
    const running = fakeProcess();
    const start = vi.fn<() => Promise<Running>>().mockResolvedValue(running);
    await (await keepRunning({ name: 'audit', start, report: () => {} }))[Symbol.asyncDispose]();
    expect(running.stop).toHaveBeenCalledOnce();
    expect(start).toHaveBeenCalledOnce();
  });

  it('rejects when the first start fails', async () => {
    const start = (): Promise<Running> => Promise.reject(new Error('no such file'));
    await expect(keepRunning({ name: 'audit', start, report: () => {} })).rejects.toThrow('no such file');
  });
});
