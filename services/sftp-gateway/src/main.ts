import { runService } from '@waybill/service-kit/run-service';
import { configSchema } from './config.ts';
import { connectSupervisor } from './processes/connect-supervisor.ts';
import { startProcess } from './processes/start-process.ts';
import { startService } from './service.ts';

const supervisor = connectSupervisor(process.env['SFTP_PROCESS_NUMBER']);
await runService({
  name: 'sftp-gateway',
  configSchema,
  env: process.env,
  supervisor,
  start: async (context) => {
    if (supervisor === undefined) await startService(context);
    else await startProcess(context, supervisor);
  },
});
