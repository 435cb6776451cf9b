import { PerformanceObserver, constants } from 'node:perf_hooks';
import { memoryUsage } from 'node:process';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBufferReclaimer } from './buffer-reclaimer.ts';

/** A property that its type does not declare. */
function kindOf(entry: object): unknown {
  return 'detail' in entry && Object(entry.detail).kind;
}

const mebibyte = 1024 * 1024;

test('a GiB that passes through buffers neither accumulates nor makes V8 mark the whole heap repeatedly', async () => {
  let markings = 0;
  const observer = new PerformanceObserver((list) => {
    markings += list.getEntries().filter((entry) => kindOf(entry) === constants.NODE_PERFORMANCE_GC_MAJOR).length;
  });
  observer.observe({ entryTypes: ['gc'] });
  const reclaimer = createBufferReclaimer();
  const before = memoryUsage().arrayBuffers;
  let most = 0;
  for (let passed = 0; passed < 1024; passed += 0.25) {
    Buffer.allocUnsafeSlow(mebibyte / 4);
    reclaimer.note(mebibyte / 4);
    most = Math.max(most, memoryUsage().arrayBuffers - before);
    if (passed % 8 === 0) await turn();
  }
  await turn();
  observer.disconnect();
  expect(most).toBeLessThan(40 * mebibyte);
  expect(markings).toBeLessThan(6);
});
