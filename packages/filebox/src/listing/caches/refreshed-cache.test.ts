import { expect, test } from 'vitest';
import { createRefreshedCache } from './refreshed-cache.ts';

function cacheOf({
  read,
  restFactor = 0,
}: {
  read: (key: string) => Promise<number | undefined>;
  restFactor?: number;
}) {
  return createRefreshedCache<string, number>({
    nameOf: (key) => key,
    read,
    weightOf: (value = 1) => value,
    weightAtMost: 100,
    restFactor,
  });
}

test('the least recently used value is evicted when the total weight exceeds the limit', async () => {
  const cache = cacheOf({ read: async (key) => key.length * 10 });
  for (const key of ['aaaa', 'bbb', 'cc']) {
    cache.refresh(key);
    await cache.settle();
  }
  expect(cache.find('aaaa')).toBe(40);
  cache.refresh('dddd');
  await cache.settle();
  expect(['aaaa', 'bbb', 'cc', 'dddd'].map((key) => cache.find(key))).toEqual([40, undefined, 20, 40]);
  expect(cache.weight()).toBe(100);
  cache.refresh('e'.repeat(11));
  await cache.settle();
  expect(cache.weight()).toBe(0);
});

test('a value is not read again while it is being read, nor for a while after that', async () => {
  let times = 0;
  const read = async () => {
    times += 1;
    const started = performance.now();
    while (performance.now() - started < 2);
    return times;
  };
  const resting = cacheOf({ read, restFactor: 1e6 });
  resting.refresh('a');
  resting.refresh('a');
  await resting.settle();
  resting.refresh('a');
  await resting.settle();
  expect(resting.find('a')).toBe(1);
  const restless = cacheOf({ read });
  restless.refresh('a');
  await restless.settle();
  restless.refresh('a');
  await restless.settle();
  expect(restless.find('a')).toBe(3);
});

test('a failed read is repeated at the next request', async () => {
  let fails = true;
  const cache = cacheOf({ read: async () => (fails ? Promise.reject(new Error('away')) : 1) });
  cache.refresh('a');
  await cache.settle();
  expect(cache.find('a')).toBeUndefined();
  fails = false;
  cache.refresh('a');
  await cache.settle();
  expect(cache.find('a')).toBe(1);
});
