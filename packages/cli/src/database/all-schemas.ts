import { accessSchema } from '@waybill/access/access-schema';
import { auditSchema } from '@waybill/audit/audit-schema';
import { directorySchema } from '@waybill/directory/directory-schema';
import { fileboxSchema } from '@waybill/filebox/filebox-schema';
import { httpFilesSchema } from '@waybill/http-files/http-files-schema';
import { jobsSchema } from '@waybill/job-manager/jobs-schema';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import type { OwnedSchema } from '@waybill/postgres/migrate';
import { sftpGatewaySchema } from '@waybill/sftp-gateway/sftp-gateway-schema';

/** Those that `waybill` itself works with. */
export const packageSchemas: readonly OwnedSchema[] = [directorySchema, accessSchema, fileboxSchema, outboxSchema];

/** Every schema of a platform, those of the services included: none of them may create what it works with. */
export const allSchemas: readonly OwnedSchema[] = [
  ...packageSchemas,
  sftpGatewaySchema,
  httpFilesSchema,
  jobsSchema,
  auditSchema,
];
