import { CodedError } from '@waybill/contracts/errors/coded-error';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { assertStillReaches, createCallerWatch } from './watch-callers.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('looks callers up while they are sent something, and not afterwards', async () => {
  const check = vi.fn<() => Promise<void>>(async () => {});
  const watch = createCallerWatch({ intervalMs: 500 });
  const watched = watch.watch(check);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(check).toHaveBeenCalledTimes(4);
  watched[Symbol.dispose]();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(check).toHaveBeenCalledTimes(4);
  expect(vi.getTimerCount()).toBe(0);
});

it.each(['not_authenticated', 'not_permitted'] as const)('tells at once that a caller is %s', async (code) => {
  const watch = createCallerWatch({ intervalMs: 500 });
  using other = watch.watch(async () => {});
  using watched = watch.watch(() => Promise.reject(new CodedError(code)));
  await vi.advanceTimersByTimeAsync(500);
  expect([watched.signal.reason, other.signal.aborted]).toEqual([expect.objectContaining({ code }), false]);
});

it('bears an outage of the lookup for a while, also one that does not answer, and then tells', async () => {
  const watch = createCallerWatch({ intervalMs: 500, outageMs: 5_000 });
  let isUp = false;
  const lookUp = () => (isUp ? Promise.resolve() : Promise.reject(new Error('connection refused')));
  using failing = watch.watch(lookUp);
  using hanging = watch.watch(() => new Promise(() => {}));
  using recovering = watch.watch(lookUp);
  await vi.advanceTimersByTimeAsync(4_000);
  expect([failing, hanging, recovering].map(({ signal }) => signal.aborted)).toEqual([false, false, false]);
  isUp = true;
  await vi.advanceTimersByTimeAsync(2_000);
  expect([failing, hanging, recovering].map(({ signal }) => signal.aborted)).toEqual([false, true, false]);
  isUp = false;
  await vi.advanceTimersByTimeAsync(6_000);
  expect(failing.signal.reason).toMatchObject({ code: 'service_unavailable' });
});

it.each([
  [undefined, undefined, true],
  [['acme'], undefined, true],
  [['acme'], ['globex', 'acme'], true],
  [undefined, ['acme'], false],
  [['acme', 'globex'], ['acme'], false],
] as const)('a permission that reached %j and reaches %j now still suffices: %s', (before, now, suffices) => {
  const check = () => assertStillReaches(before, now);
  if (suffices) expect(check).not.toThrow();
  else expect(check).toThrow(expect.objectContaining({ code: 'not_permitted' }));
});
