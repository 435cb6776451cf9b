import type { ServiceContext } from '@waybill/service-kit/run-service';
import type { Config } from './config.ts';
import { openGateway } from './open-gateway.ts';
import { openSftp } from './open-sftp.ts';
import { prepareGateway } from './prepare-gateway.ts';
import { superviseSftp } from './processes/supervise-sftp.ts';
import { startOperations } from './start-operations.ts';

/** Where a started gateway listens. */
export interface StartedGateway {
  readonly sftpPort: number;
  readonly httpPort: number;
}

/**
 * Starts everything in the order of dependencies; it stops in reverse. SFTP stops first, so that health and metrics can
 * be read while the transfers end.
 */
export async function startService(context: ServiceContext<Config>): Promise<StartedGateway> {
  const gateway = openGateway(context);
  await prepareGateway(context, gateway);
  const open = context.config.SFTP_PROCESSES === 1 ? openSftp : superviseSftp;
  const { terminator, listen, metrics = context.metrics } = await open(context, gateway);
  const httpPort = await startOperations({ ...context, metrics }, gateway, terminator);
  const sftpPort = await listen();
  context.logger.info({ sftpPort, httpPort }, 'listening');
  return { sftpPort, httpPort };
}
