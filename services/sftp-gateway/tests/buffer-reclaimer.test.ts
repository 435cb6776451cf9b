import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const mebibyte = 1024 * 1024;

/**
 * Lets a GiB pass through buffers and prints how much of it was held at most, and how often V8 marked the whole heap. In a process
 * of its own, where nothing but the buffers makes V8 collect.
 */
const program = `
  import { PerformanceObserver, constants } from 'node:perf_hooks';
  import { setImmediate as turn } from 'node:timers/promises';
  import { createBufferReclaimer } from '@waybill/service-kit/buffer-reclaimer';

  const mebibyte = 1024 * 1024;
  let markings = 0;
  const isMarking = ({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
  const observer = new PerformanceObserver((list) => (markings += list.getEntries().filter(isMarking).length));
  observer.observe({ entryTypes: ['gc'] });
  const reclaimer = process.argv[1] === 'with' ? createBufferReclaimer() : { note: () => {} };
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  for (let passed = 0; passed < 1024; passed += 0.25) {
    Buffer.allocUnsafeSlow(mebibyte / 4);
    reclaimer.note(mebibyte / 4);
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    if (passed % 8 === 0) await turn();
  }
  await turn();
  console.log(JSON.stringify({ most, markings }));`;

async function letPass(how: 'with' | 'without'): Promise<{ most: number; markings: number }> {
  const args = ['--input-type=module', '--eval', program, how];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
  return JSON.parse(stdout) as { most: number; markings: number };
}

test('a GiB that passes through buffers neither accumulates nor makes V8 mark the whole heap repeatedly', async () => {
  const { most, markings } = await letPass('with');
  expect(most).toBeLessThan(40 * mebibyte);
  expect(markings).toBeLessThan(6);
});

test('without the reclaimer V8 marks the whole heap repeatedly', async () => {
  expect((await letPass('without')).markings).toBeGreaterThan(6);
});
