import { accessSchema } from '@waybill/access/access-schema';
import { directorySchema } from '@waybill/directory/directory-schema';
import { fileboxSchema } from '@waybill/filebox/filebox-schema';
import { reportOldestEvent } from '@waybill/outbox-relay/report-oldest-event';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import { prepareDatabase } from '@waybill/postgres/prepare-database';
import type { ServiceContext } from '@waybill/service-kit/run-service';
import type { Config } from './config.ts';
import type { Gateway } from './open-gateway.ts';
import { sftpGatewaySchema } from './sftp-gateway-schema.ts';

/**
 * The one-time work of a gateway, however many processes it has: checks the schemas, and reports how far delivery is
 * behind.
 */
export async function prepareGateway(context: ServiceContext<Config>, { db, directory }: Gateway): Promise<void> {
  const { config, logger, metrics } = context;
  const schemas = [sftpGatewaySchema, accessSchema, directorySchema, fileboxSchema, outboxSchema];
  // With several processes, this one has a pool besides theirs.
  const processes = config.SFTP_PROCESSES === 1 ? 1 : config.SFTP_PROCESSES + 1;
  const connections = { poolSize: config.DATABASE_POOL_SIZE, processes, listeners: config.SFTP_PROCESSES };
  await prepareDatabase({ db, schemas, privilegedUser: config.DATABASE_PRIVILEGED_USER, connections, logger });
  await directory.reportDemoPasswords('partner');
  reportOldestEvent({ db, metrics });
}
