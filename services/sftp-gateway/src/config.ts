import { accessSecretKeysShape } from '@waybill/secrets/key-ring-source';
import { accessConfigShape } from '@waybill/service-kit/config/access-config';
import { clientConfigShape } from '@waybill/service-kit/config/client-config';
import { databaseConfigShape } from '@waybill/service-kit/config/database-config';
import { keyConfigShape } from '@waybill/service-kit/config/key-config';
import { peerConfigShape } from '@waybill/service-kit/config/peer-config';
import { redisConfigShape } from '@waybill/service-kit/config/redis-config';
import { serviceConfigShape } from '@waybill/service-kit/config/service-config';
import { storageConfigShape } from '@waybill/service-kit/config/storage-config';
import { cidrListSchema, listSchema, portSchema } from '@waybill/service-kit/config/value-schemas';
import { z } from 'zod';

/** Kinds of host keys, as in the names of their files. */
export const hostKeyKinds = ['ed25519', 'ecdsa', 'rsa'] as const;

/** A kind of host key. */
export type HostKeyKind = (typeof hostKeyKinds)[number];

const whole = (least: number, defaultValue: number) => z.coerce.number().int().min(least).default(defaultValue);

/** The environment of the SFTP gateway. */
export const configSchema = z.object({
  ...serviceConfigShape,
  ...clientConfigShape,
  PORT: portSchema(8081).describe('Port of the HTTP interface'),
  ...databaseConfigShape,
  ...redisConfigShape,
  ...accessConfigShape,
  ...peerConfigShape,
  ...storageConfigShape,
  SERVER_NAME: z.string().default('sftp-server').describe('SFTP server of the configuration that this peer offers'),
  SFTP_HOST: z.string().default('127.0.0.1').describe('Address that SFTP listens on'),
  SFTP_PORT: portSchema(2222).describe('Port that SFTP listens on'),
  SFTP_PROCESSES: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(1)
    .describe('Processes that share the SFTP port, behind one HTTP interface; about one for each core'),
  SFTP_HOST_KEY_DIR: z
    .string()
    .describe(
      'Folder of the active host keys, with their `.next` and `.previous` keys beside them; generated at the first start; shared by all gateways of a cluster',
    ),
  ...keyConfigShape,
  ...accessSecretKeysShape,
  SFTP_HOST_KEY_TYPES: listSchema
    .pipe(z.array(z.enum(hostKeyKinds)).min(1))
    .default(['ed25519', 'ecdsa', 'rsa'])
    .describe('Types of host keys, separated by commas: `ed25519`, `ecdsa`, `rsa`; missing keys are generated'),
  SFTP_HOST_KEY_ROTATION_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(36_500)
    .default(0)
    .describe('Age at which a host key is to be replaced, which is reported and not done; 0 disables the report'),
  SFTP_PROXY_PROTOCOL_FROM: cidrListSchema
    .default([])
    .describe('Networks of load balancers, separated by commas: their connections must begin with PROXY protocol v2'),
  SFTP_LOGIN_GRACE_SECONDS: whole(1, 30).describe('Time to log in after the connection is opened'),
  SFTP_MAX_UNAUTHENTICATED: whole(4, 200).describe(
    'Connections of a process without a login; above half of this limit some are dropped',
  ),
  SFTP_KEY_EXCHANGES_PER_ADDRESS: whole(10, 120).describe(
    'Key exchanges without a login from one address in a minute, before its connections are refused; expensive ones count up to 9 times',
  ),
  SFTP_LOGIN_FAILURES_PER_USER: whole(1, 10).describe(
    'Failed logins of one user from one address before this user is banned there; counted over the cluster',
  ),
  SFTP_LOGIN_FAILURES_PER_ADDRESS: whole(1, 50).describe(
    'Failed logins of any users from one address before it is banned; counted over the cluster',
  ),
  SFTP_LOGIN_FAILURE_WINDOW_SECONDS: whole(1, 300).describe('How long failed logins count'),
  SFTP_BAN_SECONDS: whole(1, 900).describe('How long a ban lasts'),
  SFTP_BAN_EXEMPT: cidrListSchema
    .default([])
    .describe('Networks, separated by commas, whose failed logins and key exchanges are not counted'),
  SFTP_IDLE_TIMEOUT_SECONDS: whole(1, 900).describe('A session without a request for this long is ended'),
  SFTP_KEEPALIVE_SECONDS: whole(1, 30).describe(
    'Interval of keep-alive messages to a silent client; three without a response end the connection',
  ),
  SFTP_REKEY_MEGABYTES: whole(1, 1024).describe(
    'Traffic of a connection in both directions after which its keys are renewed',
  ),
  SFTP_REKEY_SECONDS: whole(10, 3600).describe('Time after which the keys of a connection are renewed'),
});

/** The settings of the SFTP gateway. */
export type Config = z.infer<typeof configSchema>;
