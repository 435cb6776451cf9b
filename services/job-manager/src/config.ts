import { outboundConfigShape } from '@waybill/outbound/outbound-config';
import { accessSecretKeysShape, secretKeysShape } from '@waybill/secrets/key-ring-source';
import { accessConfigShape } from '@waybill/service-kit/config/access-config';
import { clientConfigShape } from '@waybill/service-kit/config/client-config';
import { databaseConfigShape } from '@waybill/service-kit/config/database-config';
import { keyConfigShape, keyRotationConfigShape } from '@waybill/service-kit/config/key-config';
import { nodeConfigShape } from '@waybill/service-kit/config/node-config';
import { passwordInUrl } from '@waybill/service-kit/config/password-in-url';
import { redisConfigShape } from '@waybill/service-kit/config/redis-config';
import { secretSchema } from '@waybill/service-kit/config/secret';
import { serviceConfigShape } from '@waybill/service-kit/config/service-config';
import { storageConfigShape } from '@waybill/service-kit/config/storage-config';
import { portSchema } from '@waybill/service-kit/config/value-schemas';
import { z } from 'zod';
import { oidcConfigShape } from './domain/access/oidc-settings.ts';
import { commandConfigShape } from './domain/workflows/command-settings.ts';

const { ACCESS_ISSUER, ACCESS_AUDIENCE } = accessConfigShape;

const shape = {
  ...serviceConfigShape,
  ...clientConfigShape,
  ...databaseConfigShape,
  ...redisConfigShape,
  ...storageConfigShape,
  OPERATOR_DATABASE_URL: secretSchema
    .optional()
    .describe(
      'PostgreSQL as the operator, for administration over the API: without it, the configuration has no endpoints',
    ),
  OPERATOR_DATABASE_PASSWORD: secretSchema
    .optional()
    .describe('Password for an address in OPERATOR_DATABASE_URL that has none'),
  CONFIGURATION_HEAP_MEBIBYTES: z.coerce
    .number()
    .int()
    .min(64)
    .max(65_536)
    .default(512)
    .describe('Heap of the process that plans or applies a large configuration; 10 000 partners take less than 512'),
  CONFIGURATION_SECONDS: seconds(600, 1, 86_400).describe(
    'How long a large configuration may take to be planned, applied, checked or exported',
  ),
  ACCESS_ISSUER,
  ACCESS_AUDIENCE,
  PORT: portSchema(8083).describe('Port of the HTTP interface'),
  ...nodeConfigShape,
  ACCESS_SIGNING_KEY_FILE: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Active key of the access tokens (PEM, P-256), beside it `.next` and `.previous` ones; generated if it is missing; the same for all nodes. Required where ROLE serves the HTTP interface',
    ),
  ...keyConfigShape,
  ...keyRotationConfigShape,
  ...secretKeysShape,
  ...accessSecretKeysShape,
  ...outboundConfigShape,
  ...commandConfigShape,
  ...oidcConfigShape,
  ACCESS_TOKEN_SECONDS: seconds(900, 60, 86_400).describe('Time that an access token is valid'),
  LOGIN_WINDOW_SECONDS: seconds(300, 1, 86_400).describe('Time over which failed logins are counted'),
  CONSOLE_FOLDER: z
    .string()
    .min(1)
    .optional()
    .describe('Folder of the built web application for operators, served at `/console`; by default there is none'),
  JOB_MANAGER_BASE_PATH: z
    .string()
    .regex(/^(?:\/[\w.~-]+)*$/u, 'is empty, or a path such as /api/v2 without a slash at its end')
    .default('')
    .describe('Context path of the job endpoints; none by default'),
  ROLE: z
    .enum(['all', 'api', 'worker', 'scheduler'])
    .default('all')
    .describe(
      'What this process does: `api` serves the HTTP interface, `worker` runs jobs, `scheduler` does what has to be done at times; each in any number of processes',
    ),
  JOB_CONCURRENCY: z.coerce.number().int().min(1).max(1_000).default(8).describe('Jobs that this process runs at once'),
  JOB_LEASE_SECONDS: seconds(6, 1, 3_600).describe(
    'Time after which the jobs of a worker that gives no sign of life are taken over',
  ),
  JOB_GRACE_SECONDS: seconds(10, 0.1, 3_600).describe(
    'How long a task may take to end after an abort, a timeout or a stop; then it is abandoned, or its process killed',
  ),
  JOB_PATIENCE_SECONDS: seconds(600, 1, 604_800).describe(
    'A job that has waited for so long is as urgent as one of a queue of priority 10: so no queue waits for ever',
  ),
  RETENTION_INTERVAL_SECONDS: seconds(60, 1, 86_400).describe(
    'How often files and ended jobs are looked for whose time has come',
  ),
  JOB_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(36_500)
    .default(90)
    .describe('How long ended jobs are kept, with their steps and their history; 0 keeps them for ever'),
  JOB_PARTITION_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3_650)
    .optional()
    .describe(
      'Jobs of so many days are removed together, or a million if that is less; a twelfth of JOB_RETENTION_DAYS when not set',
    ),
  WEBHOOK_BODY_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(3_650)
    .default(7)
    .describe('How long the bodies of webhooks are kept, so that deliveries can be replayed; 0 keeps none'),
  WEBHOOK_BODY_BYTES: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_048_576)
    .default(65_536)
    .describe('Bodies of webhooks that are larger are not kept'),
  JOB_POLL_SECONDS: seconds(1, 0.05, 60).describe('How often a worker looks for jobs without being told of them'),
};

/** What the job manager is told by its environment. */
export const configSchema = z.object(shape).superRefine((config, context) => {
  const { ROLE, ACCESS_SIGNING_KEY_FILE: key, RUN_COMMANDS, RUN_COMMAND_USERS } = config;
  if (RUN_COMMANDS.length > 0 && RUN_COMMAND_USERS === undefined) {
    context.addIssue({ code: 'custom', path: ['RUN_COMMAND_USERS'], message: 'is not set, and RUN_COMMANDS is' });
  }
  if (config.OIDC_ISSUER !== undefined) {
    for (const name of ['OIDC_CLIENT_ID', 'OIDC_ROLES'] as const) {
      if (config[name] !== undefined) continue;
      context.addIssue({ code: 'custom', path: [name], message: 'is not set, and OIDC_ISSUER is' });
    }
  }
  if (key !== undefined || (ROLE !== 'all' && ROLE !== 'api')) return;
  context.addIssue({ code: 'custom', path: ['ACCESS_SIGNING_KEY_FILE'], message: 'is not set' });
});

/** What the job manager is told by its environment. */
export type Config = z.infer<typeof configSchema>;

function seconds(fallback: number, least: number, most: number) {
  return z.coerce.number().min(least).max(most).default(fallback);
}

/** The address of PostgreSQL as the operator, with its password. @throws CodedError `configuration_invalid` */
export function operatorUrlOf(config: Config): string | undefined {
  const { OPERATOR_DATABASE_URL: url, OPERATOR_DATABASE_PASSWORD: password } = config;
  if (url === undefined) return undefined;
  const names = { url: 'OPERATOR_DATABASE_URL', password: 'OPERATOR_DATABASE_PASSWORD' };
  return passwordInUrl({ names, schemes: ['postgresql:', 'postgres:'], url, password });
}

/** The identity of this process, for audit records. */
export interface JobSite {
  readonly managerName: string;
  readonly nodeName: string;
}

/** The identity that a configuration gives. */
export function siteOf({ MANAGER_NAME: managerName, NODE_NAME: nodeName }: Config): JobSite {
  return { managerName, nodeName };
}
