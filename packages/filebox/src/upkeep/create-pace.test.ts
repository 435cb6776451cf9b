import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPace } from './create-pace.ts';

test('all callers share the rate, and a pause is not made up for', async () => {
  const pace = createPace(1_000, new AbortController().signal);
  const began = performance.now();
  await Promise.all([pace(30), pace(30)]);
  expect(performance.now() - began).toBeGreaterThan(55);
  await sleep(60);
  const later = performance.now();
  await pace(30);
  expect(performance.now() - later).toBeGreaterThan(25);
});

test('a stopped pace rejects and no longer delays the others', async () => {
  const stopping = new AbortController();
  const pace = createPace(1, stopping.signal);
  const held = pace(1_000_000);
  stopping.abort();
  await expect(held).rejects.toThrow('aborted');
  await expect(pace(1)).rejects.toThrow('aborted');
});
