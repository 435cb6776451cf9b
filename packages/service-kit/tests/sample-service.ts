import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { serviceConfigShape } from '../src/config/service-config.ts';
import { runService } from '../src/run-service.ts';

/**
 * A service that holds two resources and an open timer, and does what SAMPLE_MODE says: `slow` and `leak` are still starting
 * when they are stopped, and the latter leaves something open.
 */
await runService({
  name: 'sample',
  configSchema: z.object({ ...serviceConfigShape, SAMPLE_MODE: z.enum(['run', 'fail', 'hang', 'slow', 'leak']) }),
  env: process.env,
  start: async ({ config, logger, resources }) => {
    const timer = setInterval(() => undefined, 1_000);
    resources.defer(() => {
      clearInterval(timer);
      process.stderr.write('released first\n');
    });
    resources.defer(() => void process.stderr.write('released second\n'));
    if (config.SAMPLE_MODE === 'fail') throw new Error('no port');
    if (config.SAMPLE_MODE === 'hang') resources.defer(() => Promise.withResolvers<void>().promise);
    if (config.SAMPLE_MODE !== 'slow' && config.SAMPLE_MODE !== 'leak') return;
    logger.info('half started');
    while (!resources.disposed) await delay(10);
    const late = setInterval(() => undefined, 1_000);
    if (config.SAMPLE_MODE === 'slow') clearInterval(late);
    resources.defer(() => clearInterval(late));
  },
});
