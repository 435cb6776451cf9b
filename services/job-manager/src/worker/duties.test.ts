import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startDuties } from './duties.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('does each duty at its interval; one that fails is reported and stops no other', async () => {
  const metrics = createMetrics('test');
  const onFailure = vi.fn<(error: unknown, duty: string) => void>();
  const works = vi.fn<() => Promise<void>>().mockResolvedValue();
  const fails = vi.fn<() => Promise<void>>().mockRejectedValue(new Error('no such column'));
  await using _duties = startDuties(
    [
      { name: 'broken', intervalMs: 1_000, work: fails },
      { name: 'sound', intervalMs: 1_000, work: works },
    ],
    { metrics, onFailure },
  );
  await vi.advanceTimersByTimeAsync(3_000);
  expect([fails.mock.calls.length, works.mock.calls.length]).toEqual([3, 3]);
  expect(onFailure).toHaveBeenCalledTimes(3);
  expect(onFailure).toHaveBeenLastCalledWith(expect.any(Error), 'broken');
  const text = await metrics.text();
  expect(text).toMatch(/waybill_duty_failures_total\{duty="broken",service="test"\} 3/u);
  expect(text).toMatch(/waybill_duty_age_seconds\{duty="broken",service="test"\} 3/u);
  expect(text).toMatch(/waybill_duty_age_seconds\{duty="sound",service="test"\} 0/u);
});

it('never does a duty twice at a time, and waits at the stop for the one under way', async () => {
  const gate = Promise.withResolvers<void>();
  const work = vi.fn<() => Promise<void>>().mockReturnValue(gate.promise);
  const duties = startDuties([{ name: 'slow', intervalMs: 10, work }], {
    metrics: createMetrics('test'),
    onFailure: () => {},
  });
  await vi.advanceTimersByTimeAsync(100);
  expect(work).toHaveBeenCalledTimes(1);
  let stopped = false;
  const stop = duties[Symbol.asyncDispose]().then(() => (stopped = true));
  await Promise.resolve();
  expect(stopped).toBe(false);
  gate.resolve();
  await stop;
});
