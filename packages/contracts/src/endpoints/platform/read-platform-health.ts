import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';

const at = '2026-03-02T08:15:30.410Z';
const count = (what: string, example: number) => z.int().min(0).describe(what).meta({ example });
const seconds = (what: string, example: number) => z.number().min(0).describe(`${what}, in seconds`).meta({ example });

const stateSchema = z
  .enum(['up', 'degraded', 'down', 'unknown'])
  .describe(
    '`up`: it works; `degraded`: it works, and needs attention; `down`: it does not work, or did not answer in time; `unknown`: it was not checked yet, or what would tell is down',
  )
  .meta({ example: 'up' });

const partShape = {
  state: stateSchema,
  since: z.iso.datetime().describe('Since when the answering process has seen this state').meta({ example: at }),
  checkedAt: z.iso.datetime().nullable().describe('End of the last check; null before').meta({ example: at }),
  milliseconds: z.number().min(0).nullable().describe('Duration of the last check').meta({ example: 1.4 }),
  reason: z.string().nullable().describe('Why it is not `up`, without addresses').meta({ example: null }),
};

const processSchema = z
  .object({
    service: z.string().describe('Name of the service').meta({ example: 'sftp-gateway' }),
    node: z.string().describe('Peer or node').meta({ example: 'peer1' }),
    role: z.string().nullable().describe('Role of a process of the job manager').meta({ example: null }),
    state: z
      .enum(['ready', 'not ready', 'silent'])
      .describe('`silent`: without a report for 15 seconds; it is shown for 15 minutes')
      .meta({ example: 'ready' }),
    failing: z.array(z.string()).describe('Checks that fail').meta({ example: [] }),
    startedAt: z.iso.datetime().describe('Start of the process').meta({ example: at }),
    reportedSecondsAgo: seconds('Age of its last report', 2.1),
  })
  .meta({ id: 'PlatformProcess' });

const databaseSchema = z
  .object({
    version: z.string().describe('Version of PostgreSQL').meta({ example: '18.6' }),
    role: z.enum(['primary', 'standby']).describe('Role of the server').meta({ example: 'primary' }),
    replicas: count('Standbys that are connected', 1),
    connections: count('Connections that are open', 40),
    connectionsAtMost: count('Connections that the platform may open', 197),
    oldestTransactionSeconds: seconds(
      'Age of the oldest open transaction that the job manager may see',
      0.2,
    ).nullable(),
  })
  .meta({ id: 'DatabaseHealth' });

const redisSchema = z
  .object({
    version: z.string().describe('Version of the server').meta({ example: '8.0.1' }),
    role: z.string().describe('Role of the server').meta({ example: 'master' }),
    usedBytes: count('Memory that is used', 4_194_304),
    limitBytes: count('Limit of the memory; 0: none', 0),
    policy: z.string().describe('Eviction policy; `noeviction` is required').meta({ example: 'noeviction' }),
    evictedKeys: count('Keys evicted since its start', 0),
    persistence: z
      .enum(['append-only', 'snapshots', 'none'])
      .describe('How it survives a restart; `snapshots`: without an append-only file')
      .meta({ example: 'append-only' }),
  })
  .meta({ id: 'RedisHealth' });

const storeSchema = z
  .object({
    name: z.string().describe('Name of the storage class').meta({ example: 'local' }),
    type: z.enum(['local', 's3']).describe('On a disk, or in S3').meta({ example: 'local' }),
    ...partShape,
    freeBytes: count('Space that is left; null in S3 and while it is unknown', 10_737_418_240).nullable(),
    totalBytes: count('Size of the disk; null in S3 and while it is unknown', 107_374_182_400).nullable(),
  })
  .meta({ id: 'StoreHealth' });

const anchorSchema = z
  .object({
    name: z.string().describe('The anchor').meta({ example: 'file:/mnt/worm/checkpoint' }),
    kind: z.enum(['file', 's3', 'http', 'witness']).describe('Its kind').meta({ example: 'witness' }),
    state: stateSchema,
    since: z.iso.datetime().nullable().describe('Begin of its failures; null if it works').meta({ example: null }),
    records: count('Records in the last checkpoint that it has', 18_000),
    lagSeconds: seconds('Age of the oldest checkpoint that it does not have; 0 if it has all', 0),
  })
  .meta({ id: 'AnchorHealth' });

const auditSchema = z
  .object({
    ...partShape,
    waiting: count('Events that are not recorded yet; at most 100 000 are counted', 0).nullable(),
    oldestWaitingSeconds: seconds('Age of the oldest of them; 0 without any', 0).nullable(),
    setAside: count('Events that were set aside after all attempts', 0).nullable(),
    checkpoint: z
      .object({
        records: count('Records under the last checkpoint', 18_000),
        signedAt: z.iso.datetime().nullable().describe('When it was signed, if known').meta({ example: at }),
      })
      .nullable()
      .describe('The last checkpoint; null while no audit service reports it'),
    anchors: z.array(anchorSchema).describe('Anchors and witnesses, by name'),
  })
  .meta({ id: 'AuditHealth' });

const connectionsSchema = z
  .object({
    ...partShape,
    working: count('Client connections whose last attempt was successful', 3),
    failing: count('Whose last attempt has failed', 0),
    suspended: count('Whose other side is left alone for some time', 0),
    unused: count('That no worker has tried', 1),
  })
  .meta({ id: 'ClientConnectionsHealth' });

const healthSchema = z
  .object({
    state: stateSchema.describe('The worst state of the parts; `degraded` instead of `unknown`'),
    answeredBy: z.string().describe('The job manager that has checked the parts').meta({ example: 'node-1' }),
    at: z.iso.datetime().describe('Time of the response').meta({ example: at }),
    services: z
      .object({ ...partShape, processes: z.array(processSchema).describe('The processes, by service and node') })
      .meta({ id: 'ServicesHealth' }),
    database: z
      .object({ ...partShape, details: databaseSchema.nullable().describe('What the last answer said') })
      .meta({ id: 'DatabasePart' }),
    redis: z
      .object({ ...partShape, details: redisSchema.nullable().describe('What the last answer said') })
      .meta({ id: 'RedisPart' }),
    stores: z.array(storeSchema).describe('The storage classes'),
    connections: connectionsSchema,
    audit: auditSchema,
  })
  .meta({ id: 'PlatformHealth' });

/** How the platform does, as the job manager shows it. */
export type PlatformHealthView = z.infer<typeof healthSchema>;

/** Extension of the interface: how the platform and what it needs do. */
export const readPlatformHealthEndpoint = defineEndpoint({
  id: 'readPlatformHealth',
  tag: 'Platform health',
  method: 'GET',
  path: '/platform-application/api/v1/platform/health',
  summary: 'Show how the platform does',
  description: [
    'The services and their peers, PostgreSQL, Redis, the storage classes, the client connections and the audit log, each with its',
    'state and since when. The job manager checks them every few seconds, each with a limit of time, whether it is asked or not: the',
    'response is what it has found last, and waits for none of them. While PostgreSQL does not answer, callers whose permissions',
    'were read in the last five minutes get a response nevertheless.',
  ].join(' '),
  authentication: { kind: 'bearer', permission: 'health:read' },
  responses: { 200: { description: 'The health of the platform', body: { kind: 'json', schema: healthSchema } } },
  errors: ['service_unavailable'],
});
