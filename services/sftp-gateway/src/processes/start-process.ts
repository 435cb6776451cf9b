import type { ServiceContext } from '@waybill/service-kit/run-service';
import type { Config } from '../config.ts';
import { openGateway } from '../open-gateway.ts';
import { openSftp } from '../open-sftp.ts';
import type { SupervisorLine } from './connect-supervisor.ts';

/** Starts one of several processes that share the SFTP port: it serves partners, and answers only its supervisor. */
export async function startProcess(context: ServiceContext<Config>, supervisor: SupervisorLine): Promise<void> {
  const { health, metrics, resources } = context;
  resources.defer(() => supervisor.leave());
  supervisor.onQuestion((question) => (question === 'metrics' ? metrics.snapshot() : health.readiness()));
  const { listen } = await openSftp(context, openGateway(context));
  await supervisor.ready(await listen());
}
