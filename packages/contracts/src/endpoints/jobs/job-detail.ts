import { z } from 'zod';
import { jobStatusSchema } from '../../values/job-status.ts';
import { jobSchema } from './job.ts';

const logLineSchema = z.object({
  at: z.iso.datetime().describe('When').meta({ example: '2026-03-02T08:15:30.402Z' }),
  attempt: z.int().describe('The attempt, from 1').meta({ example: 1 }),
  message: z
    .string()
    .describe('At most 1 000 characters, with secrets masked')
    .meta({ example: 'Wrote 21 bytes into /outbox/march.txt' }),
});

/** Items that are shown of one step at most. */
export const itemsShownAtMost = 1_000;

const progressShape = {
  status: z
    .enum(['WAITING', 'RUNNING', 'COMPLETED', 'SKIPPED', 'FAILED', 'ERROR', 'ABORTED'])
    .describe(
      'Status of the step; `SKIPPED`: its condition is false; `FAILED`: it failed and the job went on; `ERROR`: the job ended there; `ABORTED`: it ran when the job was aborted',
    )
    .meta({ example: 'COMPLETED' }),
  attempts: z.int().describe('How often it was started').meta({ example: 1 }),
  begunAt: z.iso
    .datetime()
    .optional()
    .describe('When its last attempt began')
    .meta({ example: '2026-03-02T08:15:30.390Z' }),
  endedAt: z.iso
    .datetime()
    .optional()
    .describe('When its last attempt ended; absent while it runs')
    .meta({ example: '2026-03-02T08:15:30.404Z' }),
  durationMs: z
    .int()
    .nonnegative()
    .optional()
    .describe('Time from `begunAt` to `endedAt`, in milliseconds')
    .meta({ example: 14 }),
  inputs: z
    .record(z.string(), z.string())
    .describe(
      'The evaluated parameters of its last attempt, each at most 1 000 characters; `******` stands for a secret, and a parameter that cannot be evaluated is as the workflow has it',
    )
    .meta({ example: { path: '/outbox/march.txt', text: 'All invoices are in.' } }),
  outputs: z
    .record(z.string(), z.string())
    .describe('Outputs that later steps can read')
    .meta({ example: { path: '/outbox/invoice.csv.gz' } }),
  error: z.string().describe('The last error; empty if there was none').meta({ example: '' }),
  log: z
    .array(logLineSchema)
    .describe(
      'The newest 100 lines of all its attempts, oldest first. They are stored when an attempt ends: those of an attempt whose worker was lost are missing',
    ),
};

const itemSchema = z
  .object({
    index: z.int().nonnegative().describe('Its number in the list, from 0').meta({ example: 0 }),
    ...progressShape,
  })
  .meta({ id: 'JobItem' });

const stepSchema = z.object({
  name: z
    .string()
    .describe('Name of the step; in a workflow that the step `pack` runs, `pack/compress`')
    .meta({ example: 'compress' }),
  task: z.string().describe('Task that it uses; `workflow` if it runs another workflow').meta({ example: 'gzip' }),
  ...progressShape,
  items: z
    .array(itemSchema)
    .optional()
    .describe(
      'Of a step with `foreach`: the items that were begun, in order, at most 1 000 from the number `itemsFrom`',
    ),
  itemCounts: z
    .record(z.string(), z.int())
    .optional()
    .describe('Of a step with `foreach`: how many of all items that were begun have each status')
    .meta({ example: { COMPLETED: 3, FAILED: 1 } }),
});

const plannedStepSchema = z
  .object({
    name: z.string().describe('Its name, as in `steps`').meta({ example: 'pack/compress' }),
    task: z.string().describe('Task that it uses, as in `steps`').meta({ example: 'gzip' }),
    section: z
      .enum(['steps', 'onError', 'finally'])
      .describe('When it runs: in turn, after a step has failed for good, or at the end')
      .meta({ example: 'steps' }),
    conditional: z.boolean().describe('Whether a condition decides if it runs').meta({ example: false }),
    foreach: z.boolean().describe('Whether it runs once for each item of a list').meta({ example: false }),
  })
  .meta({ id: 'JobPlannedStep' });

/** The shape of a change of a job's status. */
export const changeSchema = z.object({
  at: z.iso.datetime().describe('When').meta({ example: '2026-03-02T08:15:30.410Z' }),
  from: jobStatusSchema.nullable().describe('Status before; null at the submission').meta({ example: 'RUNNING' }),
  to: jobStatusSchema.describe('Status after').meta({ example: 'COMPLETED' }),
  transition: z.string().describe('Name of the transition').meta({ example: 'complete' }),
  by: z.string().describe('User who requested it, or `platform`').meta({ example: 'platform' }),
  message: z.string().describe('Why').meta({ example: 'All steps are done (1)' }),
});

const waitSchema = z
  .object({
    kind: z
      .enum([
        'delay',
        'time',
        'file',
        'approval',
        'newerWorker',
        'queueRemoved',
        'queuePaused',
        'queueDisabled',
        'queueClosed',
        'noWorker',
        'queueFull',
        'workersBusy',
        'turn',
      ])
      .describe('What it waits for')
      .meta({ example: 'queueFull' }),
    message: z
      .string()
      .describe('The same in a sentence')
      .meta({ example: "Queue 'Default Queue' is full: 8 of 8 jobs run; 4 jobs of the queue go first" }),
    until: z.iso
      .datetime()
      .optional()
      .describe('When that ends by itself, if this is known')
      .meta({ example: '2026-03-02T21:00:00.000Z' }),
    ahead: z
      .int()
      .optional()
      .describe('Jobs of the queue that go first; more than 1000 are not counted')
      .meta({ example: 4 }),
  })
  .meta({ id: 'JobWait' });

/** A job with its steps and the history of its status. */
export const jobDetailSchema = jobSchema
  .extend({
    steps: z.array(stepSchema).describe('The started steps, in order'),
    plan: z
      .array(plannedStepSchema)
      .optional()
      .describe(
        'All steps of the workflow in their order, also those that have not started; the steps of a workflow that a step runs follow it',
      ),
    outputs: z
      .record(z.string(), z.string())
      .optional()
      .describe('What the workflow gives, if it has `outputs` and the job is completed')
      .meta({ example: { archive: '/outbox/invoice.csv.gz' } }),
    history: z.array(changeSchema).describe('Every change of status, oldest first; empty with `history=none`'),
    waitingFor: waitSchema.optional().describe('Why it waits; absent if a worker runs it, or it has ended'),
    resubmissionOf: z
      .int()
      .optional()
      .describe('The job that this one repeats, if it was resubmitted')
      .meta({ example: 244 }),
  })
  .meta({ id: 'JobDetail' });

/** A step of a job as the job manager shows it. */
export type StepView = z.infer<typeof stepSchema>;

/** A step of the workflow of a job, which may not have started. */
export type PlannedStepView = z.infer<typeof plannedStepSchema>;

/** A job with its steps and the history of its status. */
export type JobDetailView = z.infer<typeof jobDetailSchema>;

/** An item of a step as the job manager shows it. */
export type ItemView = z.infer<typeof itemSchema>;
