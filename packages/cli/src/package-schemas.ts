import { accessSchema } from '@waybill/access/access-schema';
import { directorySchema } from '@waybill/directory/directory-schema';
import { fileboxSchema } from '@waybill/filebox/filebox-schema';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import type { OwnedSchema } from '@waybill/postgres/migrate';

/** Those of the packages; each service brings its own schema up to date when it starts. */
export const packageSchemas: readonly OwnedSchema[] = [directorySchema, accessSchema, fileboxSchema, outboxSchema];
