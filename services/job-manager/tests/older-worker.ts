import { runService } from '@waybill/service-kit/run-service';
import { configSchema } from '../src/config.ts';
import { startJobManager } from '../src/service.ts';
import { taskTable } from '../src/tasks/task-table.ts';

/** A job manager that is older than the others: it has one of the tasks. */
const { gzip } = taskTable;

await runService({
  name: 'job-manager',
  configSchema,
  env: process.env,
  start: async (context) => void (await startJobManager(context, process.env, { gzip })),
});
