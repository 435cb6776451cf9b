import { CodedError } from '@waybill/contracts/errors/coded-error';
import { outboundConfigShape } from '@waybill/outbound/outbound-config';
import { accessConfigShape } from '@waybill/service-kit/config/access-config';
import { databaseConfigShape } from '@waybill/service-kit/config/database-config';
import { keyConfigShape, keyRotationConfigShape } from '@waybill/service-kit/config/key-config';
import { nodeConfigShape } from '@waybill/service-kit/config/node-config';
import { redisConfigShape } from '@waybill/service-kit/config/redis-config';
import { s3ConfigShape } from '@waybill/service-kit/config/s3-config';
import { serviceConfigShape } from '@waybill/service-kit/config/service-config';
import { listSchema, portSchema } from '@waybill/service-kit/config/value-schemas';
import { z } from 'zod';
import { anchorListSchema } from './adapters/anchors/anchor-settings.ts';
import { forwardListSchema } from './adapters/forwarding/forward-settings.ts';

/** The settings of the audit service. */
export const configSchema = z.object({
  ...serviceConfigShape,
  ...databaseConfigShape,
  ...redisConfigShape,
  ...accessConfigShape,
  ...nodeConfigShape,
  PORT: portSchema(8084).describe('Port of the HTTP interface'),
  AUDIT_SIGNING_KEY_FILE: z
    .string()
    .describe(
      'Active key of the audit log (PEM, Ed25519), with its `.next` and `.previous` keys beside it; generated if it is missing; the same for all audit processes',
    ),
  ...keyConfigShape,
  ...keyRotationConfigShape,
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
  AUDIT_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(36_500)
    .optional()
    .describe('After how many days records are moved to archive files; never if absent. Requires AUDIT_ARCHIVE_DIR'),
  AUDIT_ARCHIVE_DIR: z
    .string()
    .optional()
    .describe('Folder of the archive files of audit records; writable, and backed up: the records are only there'),
  AUDIT_CHECKPOINT_LOG_SECONDS: z.coerce
    .number()
    .min(0.1)
    .max(86_400)
    .default(60)
    .describe('How often a new checkpoint is written to the log of the service'),
  AUDIT_ANCHORS: anchorListSchema
    .default([])
    .describe(
      'Places outside of the platform that remember checkpoints, separated by blanks, line ends or commas: files, objects in S3, HTTP endpoints and witnesses',
    ),
  AUDIT_ANCHOR_SECONDS: z.coerce
    .number()
    .min(0.05)
    .max(86_400)
    .default(5)
    .describe('The shortest time between two checkpoints that an anchor gets'),
  AUDIT_ANCHOR_ALERT_SECONDS: z.coerce
    .number()
    .min(0)
    .max(604_800)
    .default(900)
    .describe('An anchor that has failed for this time is recorded in the audit log, and again when it works'),
  AUDIT_ANCHORS_UNREACHABLE: z
    .enum(['start', 'refuse'])
    .default('start')
    .describe(
      'Whether the service starts although an anchor cannot be read: it is then compared when it can be, and a contradiction stops the recording',
    ),
  AUDIT_FORWARDING: forwardListSchema
    .default([])
    .describe(
      'Destinations that get each record, separated by blanks, line ends or commas: syslog receivers over TCP or TLS, and webhooks',
    ),
  AUDIT_FORWARD_SECONDS: z.coerce
    .number()
    .min(0)
    .max(20)
    .default(1)
    .describe('The time for which records are collected before they are forwarded'),
  AUDIT_FORWARD_RETRY_SECONDS: z.coerce
    .number()
    .min(0.05)
    .max(3_600)
    .default(60)
    .describe('The longest pause between two attempts at a destination that fails; the first one is a second'),
  AUDIT_FORWARD_ALERT_SECONDS: z.coerce
    .number()
    .min(0)
    .max(604_800)
    .default(900)
    .describe('A destination that has failed for this time is recorded in the audit log, and again when it works'),
  ...outboundConfigShape,
  ...s3ConfigShape,
});

/** The configuration of the audit service. */
export type Config = z.infer<typeof configSchema>;

/** What is archived and where; `undefined` if nothing is. @throws CodedError `configuration_invalid` */
export function retentionOf(
  config: Pick<Config, 'AUDIT_RETENTION_DAYS' | 'AUDIT_ARCHIVE_DIR'>,
): { days: number; folder: string } | undefined {
  const { AUDIT_RETENTION_DAYS: days, AUDIT_ARCHIVE_DIR: folder } = config;
  if (days === undefined) return undefined;
  if (folder === undefined) {
    const detail = 'AUDIT_RETENTION_DAYS requires AUDIT_ARCHIVE_DIR: records are deleted only after they were archived';
    throw new CodedError('configuration_invalid', { detail });
  }
  return { days, folder };
}

/** The file in which the last checkpoint is remembered. */
export function checkpointFileOf(config: Pick<Config, 'AUDIT_CHECKPOINT_FILE' | 'AUDIT_SIGNING_KEY_FILE'>): string {
  return config.AUDIT_CHECKPOINT_FILE ?? `${config.AUDIT_SIGNING_KEY_FILE}.checkpoint`;
}
