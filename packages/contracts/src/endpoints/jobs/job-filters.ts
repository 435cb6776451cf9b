import { z } from 'zod';
import { digitsAsNumber, wholeNumber } from '../../values/digits-as-number.ts';
import { jobStatusSchema } from '../../values/job-status.ts';
import { soundTextSchema } from '../../values/sound-text.ts';
import { userNameSchema } from '../../values/user-name.ts';

const long = z.preprocess(digitsAsNumber, wholeNumber.min(1));

/** A literal `+` in a query is decoded to a blank. Sorts and times contain no blanks, so a blank is read as `+`. */
export const plusRestored = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll(' ', '+') : value;

const timeForm =
  'must be a time of the years 1 to 9999 in ISO 8601, with seconds and an offset, such as 2026-03-02T10:00:00+01:00';

/** A time in a query: ISO 8601 with an offset. */
export const jobTimeSchema = z.preprocess(
  plusRestored,
  z.iso.datetime({ offset: true, abort: true, error: timeForm }).refine((text) => {
    const year = new Date(text).getUTCFullYear();
    return year >= 1 && year <= 9_999;
  }, timeForm),
);

/** The filters that compare the whole of a name, by those that look for a part of it. */
export const jobPartFilters = {
  queuePart: 'queue',
  contractPart: 'contract',
  workflowTemplateNamePart: 'workflowTemplateName',
  submittedByPart: 'submittedBy',
  actorPart: 'actor',
  contractActionPart: 'contractAction',
} as const;

const partOf = (what: string, example: string) =>
  soundTextSchema
    .min(1)
    .max(256)
    .optional()
    .describe(`Part of the name of the ${what}, in small or capital letters`)
    .meta({ example });

/** The filters of jobs. All but those of a part of a name match exactly, bounds of time included. */
export const jobFilterShape = {
  id: long.optional().describe('Number of the job').meta({ example: 245 }),
  status: jobStatusSchema.optional().describe('Status of the job').meta({ example: 'RUNNING' }),
  queue: soundTextSchema.optional().describe('Queue').meta({ example: 'Default Queue' }),
  contract: soundTextSchema.optional().describe('Name of the contract').meta({ example: 'invoices' }),
  workflowTemplateId: long.optional().describe('Number of the workflow template').meta({ example: 1 }),
  workflowTemplateName: soundTextSchema.optional().describe('Workflow template').meta({ example: 'compress-file' }),
  workflowTemplateRevision: long.optional().describe('Revision of the template').meta({ example: 3 }),
  createdAtFrom: jobTimeSchema
    .optional()
    .describe('Submitted at this time or later')
    .meta({ example: '2026-03-02T00:00:00+01:00' }),
  createdAtTo: jobTimeSchema
    .optional()
    .describe('Submitted at this time or earlier')
    .meta({ example: '2026-03-02T23:59:59+01:00' }),
  updatedAtFrom: jobTimeSchema
    .optional()
    .describe('Changed at this time or later')
    .meta({ example: '2026-03-02T00:00:00Z' }),
  updatedAtTo: jobTimeSchema
    .optional()
    .describe('Changed at this time or earlier')
    .meta({ example: '2026-03-02T23:59:59Z' }),
  extIPID: soundTextSchema
    .max(64)
    .optional()
    .describe('External idempotency identifier')
    .meta({ example: 'order-4711' }),
  submittedBy: userNameSchema.optional().describe('Submitter').meta({ example: 'admin' }),
  dfiid: soundTextSchema
    .optional()
    .describe('Dataflow instance')
    .meta({ example: '0197a2c4-6f3b-7c1e-9d52-2f6e0c9b1a77' }),
  lcid: soundTextSchema
    .optional()
    .describe('Log correlation id')
    .meta({ example: 'd90fef7b-1517-4ad6-b836-18b6b4645be7:0' }),
  actor: soundTextSchema.optional().describe('Actor').meta({ example: 'acme' }),
  contractAction: soundTextSchema.optional().describe('Action').meta({ example: 'write-report' }),
  contractType: soundTextSchema.optional().describe('Type of the contract').meta({ example: 'Mediation' }),
  contractActionTrigger: soundTextSchema.optional().describe('Trigger').meta({ example: 'OnDemand' }),
  queuePart: partOf('queue', 'default'),
  contractPart: partOf('contract', 'invoice'),
  workflowTemplateNamePart: partOf('workflow template', 'compress'),
  submittedByPart: partOf('submitter', 'adm'),
  actorPart: partOf('actor', 'acm'),
  contractActionPart: partOf('action', 'report'),
};
