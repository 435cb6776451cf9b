import { z } from 'zod';

const time = z.iso.datetime().meta({ example: '2026-03-02T05:00:00.000Z' });

const acknowledgementSchema = z
  .object({
    outcome: z.string().describe('The state before').meta({ example: 'missed' }),
    by: z.string().describe('User who acknowledged it').meta({ example: 'admin' }),
    at: time.describe('When'),
    reason: z.string().describe('Why').meta({ example: 'the partner has a public holiday' }),
  })
  .meta({ id: 'ExpectationAcknowledgement' });

const expectedFilesSchema = z
  .object({
    vfs: z.string().describe('Virtual file system').meta({ example: 'acme-files' }),
    virtualPath: z.string().describe('Folder').meta({ example: '/inbox' }),
    filePattern: z.string().describe('Pattern of the names').meta({ example: '*.csv' }),
  })
  .meta({ id: 'ExpectedFiles' });

/** What a due time, or the unexpected files before one, can be. */
export const expectationStateSchema = z
  .enum(['pending', 'met', 'missed', 'late', 'unexpected', 'acknowledged'])
  .describe('What has come of it')
  .meta({ example: 'missed' });

/** The state of one due time of an expectation, or of the unexpected files before it. */
export const expectationViewSchema = z
  .object({
    id: z.int().describe('Number of the state').meta({ example: 17 }),
    actor: z
      .string()
      .nullable()
      .describe('Actor whose contract it was; null if the actor was deleted')
      .meta({ example: 'acme' }),
    contract: z.string().describe('Name of the contract').meta({ example: 'invoices' }),
    expectation: z.string().describe('Name of the expectation in the contract').meta({ example: 'daily-orders' }),
    kind: z
      .enum(['due', 'unexpected'])
      .describe('due: the files that are due; unexpected: those that came besides, before this due time')
      .meta({ example: 'due' }),
    state: expectationStateSchema,
    expected: expectedFilesSchema
      .nullable()
      .describe('Which files the expectation is about, as it is now; null if the contract has it no longer'),
    dueAt: time.describe('When the files are due'),
    deadlineAt: time.describe('The due time with the grace: files are in time until then'),
    files: z.int().describe('How many files have come').meta({ example: 0 }),
    lastPath: z.string().nullable().describe('The file that came last').meta({ example: '/inbox/orders.csv' }),
    changedAt: time.describe('When the state changed, or the last file came'),
    acknowledgement: acknowledgementSchema.nullable().describe('Who has acknowledged it last, when and why'),
  })
  .meta({ id: 'ExpectationState' });

/** The state of one due time of an expectation, or of the unexpected files before it. */
export type ExpectationView = z.infer<typeof expectationViewSchema>;
