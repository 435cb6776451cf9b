import { directorySchema } from '@waybill/directory/directory-schema';
import { fileboxSchema } from '@waybill/filebox/filebox-schema';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import { reportOldestEvent } from '@waybill/outbox/report-oldest-event';
import { prepareSchemas } from '@waybill/postgres/prepare-schemas';
import type { ServiceContext } from '@waybill/service-kit/run-service';
import type { Config } from './config.ts';
import type { Gateway } from './open-gateway.ts';
import { sftpGatewaySchema } from './sftp-gateway-schema.ts';

/** What a gateway does once, however many processes it has: sees to the schemas, and shows how far delivery is behind. */
export async function prepareGateway({ metrics }: ServiceContext<Config>, { db }: Gateway): Promise<void> {
  await prepareSchemas(db, { own: sftpGatewaySchema, used: [directorySchema, fileboxSchema, outboxSchema] });
  reportOldestEvent({ db, metrics });
}
