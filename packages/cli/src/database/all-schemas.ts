import { auditSchema } from '@waybill/audit/audit-schema';
import { httpFilesSchema } from '@waybill/http-files/http-files-schema';
import { jobsSchema } from '@waybill/job-manager/jobs-schema';
import type { OwnedSchema } from '@waybill/postgres/migrate';
import { sftpGatewaySchema } from '@waybill/sftp-gateway/sftp-gateway-schema';
import { packageSchemas } from './package-schemas.ts';

/** Every schema of a platform, those of the services included: none of them may create what it works with. */
export const allSchemas: readonly OwnedSchema[] = [
  ...packageSchemas,
  sftpGatewaySchema,
  httpFilesSchema,
  jobsSchema,
  auditSchema,
];
