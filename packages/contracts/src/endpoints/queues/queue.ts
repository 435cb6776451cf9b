import { z } from 'zod';
import { soundTextSchema } from '../../values/sound-text.ts';

/** The queue that a path such as `/job-manager/queues/Default%20Queue` names. */
export const queuePathSchema = z.object({
  name: soundTextSchema
    .normalize('NFC')
    .min(1)
    .max(128)
    .describe('Name of the queue; a slash in it is sent as `%2F`')
    .meta({ example: 'Default Queue' }),
});

/** Why a user pauses or resumes a queue. */
export const queueReasonSchema = soundTextSchema
  .trim()
  .min(1)
  .max(500)
  .meta({ example: 'the partner moves its server' });

const time = z.iso.datetime().nullable();

const pauseSchema = z
  .object({
    by: z.string().describe('User who paused the queue').meta({ example: 'admin' }),
    since: z.iso.datetime().describe('When').meta({ example: '2026-03-02T08:15:30.250Z' }),
    reason: z.string().describe('Why').meta({ example: 'the partner moves its server' }),
  })
  .meta({ id: 'QueuePause' });

const depthSchema = z
  .object({
    waiting: z.int().describe('Jobs that wait for a worker (SUBMITTED)').meta({ example: 12 }),
    suspended: z.int().describe('Jobs that wait for the queue, or for a time (SUSPENDED)').meta({ example: 0 }),
    running: z.int().describe('Jobs that have begun (RUNNING)').meta({ example: 8 }),
  })
  .meta({ id: 'QueueDepth' });

const oldestSchema = z
  .object({
    id: z.int().describe('Number of the job').meta({ example: 245 }),
    since: z.iso.datetime().describe('Since when it waits').meta({ example: '2026-03-02T08:15:30.250Z' }),
  })
  .meta({ id: 'OldestWaitingJob' });

/** A queue as the job manager shows it. */
export const queueSchema = z
  .object({
    name: z.string().describe('Name of the queue').meta({ example: 'Default Queue' }),
    state: z
      .enum(['Enabled', 'Scheduled', 'Disabled', 'Paused', 'Removed'])
      .describe('Paused, or the status of the configuration; Removed if the configuration no longer has the queue')
      .meta({ example: 'Enabled' }),
    configuredStatus: z
      .enum(['Enabled', 'Scheduled', 'Disabled'])
      .nullable()
      .describe('Status of the configuration; null if the queue was removed from it')
      .meta({ example: 'Enabled' }),
    open: z.boolean().describe('Whether the queue starts jobs now').meta({ example: true }),
    opensAt: time
      .describe('When the slots of a Scheduled queue open next')
      .meta({ example: '2026-03-02T21:00:00.000Z' }),
    closesAt: time
      .describe('When the open slots of a Scheduled queue close; null if not within two weeks')
      .meta({ example: '2026-03-03T05:00:00.000Z' }),
    pause: pauseSchema.nullable().describe('Who has paused the queue, when and why; null if it is not paused'),
    priority: z.int().nullable().describe('1 to 10; 10 goes first').meta({ example: 5 }),
    parallelism: z.int().nullable().describe('Jobs that run at once at most').meta({ example: 8 }),
    jobs: depthSchema.describe('Jobs that have not ended'),
    oldestWaiting: oldestSchema
      .nullable()
      .describe(
        'The job that has waited longest for a worker, or for its queue to open; not one that waits at a step or for a time',
      ),
  })
  .meta({ id: 'Queue' });

/** A queue as the job manager shows it. */
export type QueueView = z.infer<typeof queueSchema>;
