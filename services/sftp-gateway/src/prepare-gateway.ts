import { startRelay } from '@waybill/outbox/start-relay';
import { migrate } from '@waybill/postgres/migrate';
import type { ServiceContext } from '@waybill/service-kit/run-service';
import type { Config } from './config.ts';
import type { Gateway } from './open-gateway.ts';
import { sftpGatewaySchema } from './sftp-gateway-schema.ts';

/** What a gateway does once, however many processes it has: hands on its events, and brings its schema up to date. */
export async function prepareGateway(context: ServiceContext<Config>, { db }: Gateway): Promise<void> {
  const { config, logger, metrics, resources } = context;
  const [databaseUrl, redisUrl] = [config.DATABASE_URL.reveal(), config.REDIS_URL.reveal()];
  resources.use(await startRelay({ db, databaseUrl, redisUrl, logger, metrics }));
  await migrate(db, sftpGatewaySchema);
}
