import { accessSchema } from '@waybill/access/access-schema';
import { auditSchema } from '@waybill/audit/audit-schema';
import { directorySchema } from '@waybill/directory/directory-schema';
import { fileboxSchema } from '@waybill/filebox/filebox-schema';
import { httpFilesSchema } from '@waybill/http-files/http-files-schema';
import { jobsSchema } from '@waybill/job-manager/jobs-schema';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import type { OwnedSchema } from '@waybill/postgres/migrate';
import { secretsSchema } from '@waybill/secrets/secrets-schema';
import { sftpGatewaySchema } from '@waybill/sftp-gateway/sftp-gateway-schema';

/** The schemas that `waybill` itself uses. */
export const packageSchemas: readonly OwnedSchema[] = [
  directorySchema,
  accessSchema,
  fileboxSchema,
  outboxSchema,
  secretsSchema,
];

/** Every schema of a platform, including those of the services, which do not have the privilege to create them. */
export const allSchemas: readonly OwnedSchema[] = [
  ...packageSchemas,
  sftpGatewaySchema,
  httpFilesSchema,
  jobsSchema,
  auditSchema,
];
