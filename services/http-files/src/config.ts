import { accessSecretKeysShape } from '@waybill/secrets/key-ring-source';
import { clientConfigShape } from '@waybill/service-kit/config/client-config';
import { databaseConfigShape } from '@waybill/service-kit/config/database-config';
import { keyConfigShape, keyRotationConfigShape } from '@waybill/service-kit/config/key-config';
import { peerConfigShape } from '@waybill/service-kit/config/peer-config';
import { redisConfigShape } from '@waybill/service-kit/config/redis-config';
import { serviceConfigShape } from '@waybill/service-kit/config/service-config';
import { storageConfigShape } from '@waybill/service-kit/config/storage-config';
import { portSchema } from '@waybill/service-kit/config/value-schemas';
import { z } from 'zod';

const count = z.coerce.number().int().min(1);

/** The environment of http-files. */
export const configSchema = z.object({
  ...serviceConfigShape,
  ...clientConfigShape,
  ...databaseConfigShape,
  ...redisConfigShape,
  ...storageConfigShape,
  ...peerConfigShape,
  PORT: portSchema(8082).describe('Port that the HTTP interface listens on'),
  SERVER_NAME: z.string().default('http-server').describe('HTTP server of the configuration that this peer runs'),
  RECEIPT_SIGNING_KEY_FILE: z
    .string()
    .min(1)
    .describe(
      'Active key of the upload receipts (PEM, P-256), with its `.next` and `.previous` keys beside it; generated if it is missing; the same for all peers',
    ),
  ...keyConfigShape,
  ...keyRotationConfigShape,
  ...accessSecretKeysShape,
  SESSION_IDLE_SECONDS: count
    .default(1_800)
    .describe(
      'A login session that no request and no running transfer uses for this long ends; requests with `Waybill-Purpose: refresh` do not count',
    ),
  RESUMABLE_UPLOAD_HOURS: count
    .default(24)
    .describe('A resumable upload (tus) is deleted after this many hours without another part'),
  RESUMABLE_UPLOAD_LIMIT_BYTES: count
    .optional()
    .describe('Maximum size in bytes of a file in a resumable upload (tus); by default unlimited'),
  RESUMABLE_UPLOADS_PER_USER: count
    .default(1_000)
    .describe('Unfinished resumable uploads (tus) that a user may have; counted over the cluster'),
  FOLDER_NAMES_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(64 * 1024 * 1024)
    .describe(
      'Memory for the names of folders of 20 000 entries or more that are counted by patterns; 0 disables this cache',
    ),
  UI_FOLDER: z
    .string()
    .min(1)
    .optional()
    .describe('Folder of the built web application for partners, served at `/ui`; by default there is none'),
  RECEIPT_DAYS: count.default(730).describe('How long the receipt of an upload can be read'),
  LOGIN_FAILURES_PER_USER: count
    .default(10)
    .describe(
      'Failed logins of one user from one address before further logins of this user from there are refused; counted over the cluster',
    ),
  LOGIN_FAILURES_PER_ADDRESS: count
    .default(100)
    .describe(
      'Failed logins of any users from one address before further logins from there are refused; counted over the cluster',
    ),
  LOGIN_FAILURE_WINDOW_SECONDS: count.default(300).describe('How long failed logins count'),
});

/** The settings of http-files. */
export type Config = z.infer<typeof configSchema>;
