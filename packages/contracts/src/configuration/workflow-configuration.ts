import { z } from 'zod';
import {
  configuredNameSchema,
  configuredPathSchema,
  descriptionSchema,
  filePatternSchema,
  plainNameSchema,
} from '../values/configured-names.ts';
import { soundTextSchema } from '../values/sound-text.ts';
import { actionGrantSchema } from './action-grant.ts';
import { type Expectation, expectationSchema, expectationTriggerSchema } from './expectation.ts';
import { jobQueueSlotSchema } from './job-queue-slot.ts';
import { timeTriggerSchema } from './time-trigger.ts';

/** What starts an action. */
export const triggerSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('OnDemand') }),
  timeTriggerSchema,
  expectationTriggerSchema,
  z.strictObject({
    type: z.enum(['NewFile', 'IncomingTransfer', 'OutgoingTransfer', 'IncomingUpdateMetadata']),
    vfs: plainNameSchema,
    virtualPath: configuredPathSchema.describe(
      'The folder; files in its subfolders do not match. `*` matches any characters in a name, `**` any number of folders',
    ),
    filePattern: filePatternSchema,
  }),
]);

/** What starts an action. */
export type Trigger = z.infer<typeof triggerSchema>;

/** A trigger by what happens to a file. */
export type FileTrigger = Extract<Trigger, { filePattern: string }>;

/** Whether files start the action. */
export function isFileTrigger(trigger: Trigger): trigger is FileTrigger {
  return trigger.type !== 'OnDemand' && trigger.type !== 'Time' && trigger.type !== 'Expectation';
}

/** The VFS that an action works in: that of its files, of its expectation, or its own. */
export function systemOfAction(
  { trigger, vfs }: { readonly trigger: Trigger; readonly vfs?: string | undefined },
  expectations: readonly Expectation[] = [],
): string | undefined {
  if (isFileTrigger(trigger)) return trigger.vfs;
  if (trigger.type !== 'Expectation') return vfs;
  return expectations.find(({ name }) => name === trigger.expectation)?.vfs ?? vfs;
}

/** A contract of an actor: which workflows are started by which events. */
export const contractSchema = z.strictObject({
  name: configuredNameSchema,
  description: descriptionSchema,
  type: z.enum(['Input', 'Mediation', 'Output']),
  enabled: z.boolean().default(true),
  queue: configuredNameSchema.default('Default Queue'),
  expectations: z.array(expectationSchema).min(1).max(100).optional().describe('Files that are due at set times'),
  actions: z
    .array(
      z.strictObject({
        name: configuredNameSchema,
        trigger: triggerSchema,
        workflow: configuredNameSchema,
        vfs: plainNameSchema.optional().describe('The VFS that paths of an OnDemand or Time action are in'),
        grants: z
          .array(actionGrantSchema)
          .max(100)
          .optional()
          .describe('Other VFSs that the jobs of the action reach, with their rights there'),
        variables: z.record(soundTextSchema, soundTextSchema).default({}),
      }),
    )
    .min(1),
});

/** Where jobs wait. Priority 10 goes first, ties by job id. */
export const jobQueueSchema = z
  .strictObject({
    name: configuredNameSchema,
    status: z.enum(['Enabled', 'Scheduled', 'Disabled']).default('Enabled'),
    slots: z.array(jobQueueSlotSchema).min(1).max(100).optional().describe('When a Scheduled queue starts jobs'),
    priority: z.int().min(1).max(10).default(5),
    parallelism: z.int().min(1).max(1_000).default(8),
  })
  .superRefine(({ status, slots }, context) => {
    const message =
      status === 'Scheduled'
        ? 'are missing: a Scheduled queue names the times at which it starts jobs'
        : 'belong to a queue with the status Scheduled';
    if ((status === 'Scheduled') !== (slots !== undefined))
      context.addIssue({ code: 'custom', path: ['slots'], message });
  });
