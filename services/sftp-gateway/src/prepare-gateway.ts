import { directorySchema } from '@waybill/directory/directory-schema';
import { fileboxSchema } from '@waybill/filebox/filebox-schema';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import { startRelay } from '@waybill/outbox/start-relay';
import { prepareSchemas } from '@waybill/postgres/prepare-schemas';
import type { ServiceContext } from '@waybill/service-kit/run-service';
import type { Config } from './config.ts';
import type { Gateway } from './open-gateway.ts';
import { sftpGatewaySchema } from './sftp-gateway-schema.ts';

/** What a gateway does once, however many processes it has: sees to the schemas, and hands on its events. */
export async function prepareGateway(context: ServiceContext<Config>, { db }: Gateway): Promise<void> {
  const { config, logger, metrics, resources } = context;
  const [databaseUrl, redisUrl] = [config.DATABASE_URL.reveal(), config.REDIS_URL.reveal()];
  await prepareSchemas(db, { own: sftpGatewaySchema, used: [directorySchema, fileboxSchema, outboxSchema] });
  resources.use(await startRelay({ db, databaseUrl, redisUrl, logger, metrics }));
}
