import { runService } from '@waybill/service-kit/run-service';
import { configSchema } from './config.ts';
import { startJobManager } from './service.ts';
import { runJobProcess } from './worker/lanes/job-process.ts';

const order = process.argv[2];
if (order === undefined) await runJobManager();
else await runJobProcess(order, process.env).finally(() => process.exit());

function runJobManager(): Promise<void> {
  return runService({
    name: 'job-manager',
    configSchema,
    env: process.env,
    start: async (context) => void (await startJobManager(context, process.env)),
  });
}
