import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';

const time = z.iso.datetime().meta({ example: '2026-03-02T08:15:30.250Z' });
const count = z.int().min(0).meta({ example: 1 });

const failureSchema = z
  .object({
    at: time.describe('When'),
    code: z.string().describe('Error code').meta({ example: 'connection_failed' }),
    message: z.string().describe('Why, in a sentence without secrets').meta({ example: 'connect ECONNREFUSED' }),
  })
  .meta({ id: 'ConnectionFailure' });

const workerSchema = z
  .object({
    worker: z.string().describe('The worker: its node, and an id of the process').meta({ example: 'node1/5f0c' }),
    reportedAt: time.describe('When it has reported this; it does so every 5 s'),
    circuit: z
      .enum(['Closed', 'Open'])
      .describe('`Open`: the other side has failed repeatedly, and is left alone until `nextAttemptAt`')
      .meta({ example: 'Closed' }),
    nextAttemptAt: time.nullable().describe('When the next attempt is possible; null if it always is'),
    inUse: count.describe('Connections that steps use'),
    idle: count.describe('Connections that are kept for the next use'),
    waiting: count.describe('Steps that wait for a connection'),
    lastSuccessAt: time.nullable().describe('When it has connected last (http, s3: when a request was answered)'),
    lastFailure: failureSchema.nullable().describe('The last failed attempt, also if later ones have succeeded'),
  })
  .meta({ id: 'WorkerConnection' });

const connectionSchema = z
  .object({
    name: z.string().describe('Name of the client connection').meta({ example: 'acme-sftp' }),
    type: z.string().describe('Type of the client connection').meta({ example: 'sftp' }),
    actor: z.string().nullable().describe('Actor that it belongs to; null: the platform').meta({ example: 'acme' }),
    enabled: z.boolean().describe('Whether jobs may use it').meta({ example: true }),
    state: z
      .enum(['Unused', 'Working', 'Failing', 'Suspended'])
      .describe(
        '`Suspended`: a worker leaves the other side alone; `Failing` and `Working`: the end of the last attempt; `Unused`: no worker has tried',
      )
      .meta({ example: 'Working' }),
    workers: z.array(workerSchema).describe('The workers that have used it since they started, or it was changed'),
  })
  .meta({ id: 'ConnectionHealth' });

/** How a client connection does, as the job manager shows it. */
export type ConnectionHealthView = z.infer<typeof connectionSchema>;

/** Extension of the interface: how client connections do. */
export const listConnectionHealthEndpoint = defineEndpoint({
  id: 'listConnectionHealth',
  tag: 'Job manager',
  method: 'GET',
  path: '/job-manager/client-connections/health',
  summary: 'Show how client connections do',
  description:
    'All client connections of the configuration by name, each with its circuit, its last success and its last failure in every worker that uses it.',
  authentication: { kind: 'bearer', permission: 'configuration:read', ofActor: true },
  responses: {
    200: {
      description: 'The client connections',
      body: {
        kind: 'json',
        schema: z
          .object({ connections: z.array(connectionSchema).describe('The client connections, by name') })
          .meta({ id: 'ConnectionHealthList' }),
      },
    },
  },
  errors: [],
});
