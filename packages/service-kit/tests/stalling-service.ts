import { pbkdf2Sync } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { serviceConfigShape } from '../src/config/service-config.ts';
import { runService } from '../src/run-service.ts';

const megabyte = 1024 * 1024;

/** A loop that a fault could have. */
function deliberateLoop(seconds: number): void {
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end);
}

/** Keeps a few hundred megabytes of small objects, replaced all the time: V8 marks and compacts them again and again. */
async function makeGarbage(seconds: number): Promise<number> {
  const kept: object[][] = Array.from({ length: 400 }, () => []);
  const end = performance.now() + seconds * 1_000;
  let greatestHeap = 0;
  for (let turn = 0; performance.now() < end; turn += 1) {
    kept[turn % kept.length] = Array.from({ length: 10_000 }, (_, index) => ({ index, text: `${turn}-${index}` }));
    greatestHeap = Math.max(greatestHeap, process.memoryUsage().heapUsed);
    await delay(0);
  }
  return greatestHeap / megabyte;
}

/** Stalls in the way that SAMPLE_MODE says as soon as it has started, and logs `went on` when it is through with it. */
await runService({
  name: 'sample',
  configSchema: z.object({
    ...serviceConfigShape,
    SAMPLE_MODE: z.enum(['idle', 'loop', 'short', 'native', 'garbage', 'flood']),
  }),
  env: process.env,
  start: async ({ config, logger, resources }) => {
    const timer = setInterval(() => undefined, 1_000);
    resources.defer(() => clearInterval(timer));
    if (config.SAMPLE_MODE === 'idle') logger.info('went on');
    else await delay(200);
    if (config.SAMPLE_MODE === 'loop') deliberateLoop(600);
    if (config.SAMPLE_MODE === 'native') pbkdf2Sync('password', 'salt', 2_000_000_000, 64, 'sha512');
    if (config.SAMPLE_MODE === 'short') {
      deliberateLoop(3);
      logger.info('went on');
    }
    if (config.SAMPLE_MODE === 'garbage') {
      const greatestHeap = await makeGarbage(12);
      logger.info({ greatestHeap }, 'went on');
    }
    if (config.SAMPLE_MODE === 'flood') for (;;) logger.info('x'.repeat(10_000));
  },
});
