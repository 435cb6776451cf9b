import { accessConfigShape } from '@waybill/service-kit/config/access-config';
import { databaseConfigShape } from '@waybill/service-kit/config/database-config';
import { keyConfigShape } from '@waybill/service-kit/config/key-config';
import { redisConfigShape } from '@waybill/service-kit/config/redis-config';
import { serviceConfigShape } from '@waybill/service-kit/config/service-config';
import { listSchema, portSchema } from '@waybill/service-kit/config/value-schemas';
import { z } from 'zod';

/** The settings of the audit service. */
export const configSchema = z.object({
  ...serviceConfigShape,
  ...databaseConfigShape,
  ...redisConfigShape,
  ...accessConfigShape,
  PORT: portSchema(8084).describe('Port of the HTTP interface'),
  AUDIT_SIGNING_KEY_FILE: z
    .string()
    .describe(
      'Active key of the audit log (PEM, Ed25519), with its `.next` and `.previous` keys beside it; generated if it is missing; the same for all audit processes',
    ),
  ...keyConfigShape,
  AUDIT_TRUSTED_PUBLIC_KEYS: listSchema
    .default([])
    .describe(
      'Public keys of retired signing keys (base64url), separated by commas; after one start with them they are remembered in the audit log',
    ),
  AUDIT_REVOKED_PUBLIC_KEYS: listSchema
    .default([])
    .describe('Public keys whose signatures are no longer trusted (base64url), separated by commas'),
  AUDIT_CHECKPOINT_FILE: z
    .string()
    .optional()
    .describe(
      'File in which the service remembers the last checkpoint, to detect a database that was set back or replaced; writable; default: AUDIT_SIGNING_KEY_FILE with `.checkpoint`',
    ),
  AUDIT_CHECKPOINT_LOG_SECONDS: z.coerce
    .number()
    .min(0.1)
    .max(86_400)
    .default(60)
    .describe('How often a new checkpoint is written to the log of the service'),
});

/** The configuration of the audit service. */
export type Config = z.infer<typeof configSchema>;

/** The file in which the last checkpoint is remembered. */
export function checkpointFileOf(config: Pick<Config, 'AUDIT_CHECKPOINT_FILE' | 'AUDIT_SIGNING_KEY_FILE'>): string {
  return config.AUDIT_CHECKPOINT_FILE ?? `${config.AUDIT_SIGNING_KEY_FILE}.checkpoint`;
}
