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

/** Kinds of host keys, as their files name them. */
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
      'Folder of the active host keys, beside them `.next` and `.previous` ones; made at the first start; all gateways of a cluster share one',
    ),
  ...keyConfigShape,
  SFTP_HOST_KEY_TYPES: listSchema
    .pipe(z.array(z.enum(hostKeyKinds)).min(1))
    .default(['ed25519', 'ecdsa', 'rsa'])
    .describe(
      'Host keys to have, separated by commas, of `ed25519`, `ecdsa` and `rsa`; those that are not in the folder are made',
    ),
  SFTP_PROXY_PROTOCOL_FROM: cidrListSchema
    .default([])
    .describe('Networks of load balancers, separated by commas: their connections must begin with PROXY protocol v2'),
  SFTP_TEMPORARY_NAMES: listSchema
    .default(['*.filepart', '*.partial', '*.part', '.in.*'])
    .describe(
      'Names, separated by commas and with `*` for any characters, that clients give to files until all has arrived: such a file starts nothing until it is renamed',
    ),
  SFTP_LOGIN_GRACE_SECONDS: whole(1, 30).describe('Time to log in, from the connection on'),
  SFTP_MAX_UNAUTHENTICATED: whole(4, 200).describe(
    'Connections of a process that may wait for a login; from half of it on some are dropped',
  ),
  SFTP_KEY_EXCHANGES_PER_ADDRESS: whole(10, 120).describe(
    'Key exchanges in a minute that lead to no login, from one address, until its connections are refused; those that cost the server more count up to 9 times',
  ),
  SFTP_LOGIN_FAILURES_PER_USER: whole(1, 10).describe(
    'Failed logins for one user from one address until these are banned; counted over the cluster',
  ),
  SFTP_LOGIN_FAILURES_PER_ADDRESS: whole(1, 50).describe(
    'Failed logins from one address, for whatever users, until it is banned; counted over the cluster',
  ),
  SFTP_LOGIN_FAILURE_WINDOW_SECONDS: whole(1, 300).describe('How long failed logins count'),
  SFTP_BAN_SECONDS: whole(1, 900).describe('How long a ban lasts'),
  SFTP_BAN_EXEMPT: cidrListSchema
    .default([])
    .describe('Networks, separated by commas, whose failed logins and key exchanges are not counted'),
  SFTP_IDLE_TIMEOUT_SECONDS: whole(1, 900).describe('A session without a request for this long is ended'),
  SFTP_KEEPALIVE_SECONDS: whole(1, 30).describe(
    'How often a silent client is asked whether it is there; three silences end it',
  ),
  SFTP_REKEY_MEGABYTES: whole(1, 1024).describe('Traffic of a connection, both ways, after which its keys are renewed'),
  SFTP_REKEY_SECONDS: whole(10, 3600).describe('Time after which the keys of a connection are renewed'),
});

/** The settings of the SFTP gateway. */
export type Config = z.infer<typeof configSchema>;
