import { accessSchema } from '@waybill/access/access-schema';
import { directorySchema } from '@waybill/directory/directory-schema';
import { fileboxSchema } from '@waybill/filebox/filebox-schema';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import type { OwnedSchema } from '@waybill/postgres/migrate';

/** Those that `waybill` itself works with. */
export const packageSchemas: readonly OwnedSchema[] = [directorySchema, accessSchema, fileboxSchema, outboxSchema];
