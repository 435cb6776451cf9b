import { z } from 'zod';
import { freeFormObjectSchema } from '../../values/free-form-object.ts';
import { soundTextSchema } from '../../values/sound-text.ts';
import { variablesLimit } from '../body-limits.ts';
import { defineEndpoint } from '../endpoint.ts';
import { jobSchema } from './job.ts';

const submissionSchema = z
  .strictObject({
    contractName: soundTextSchema.min(1).max(128).describe('Contract to run').meta({ example: 'invoices' }),
    actionName: soundTextSchema
      .min(1)
      .max(128)
      .describe('Action of the contract; its trigger is OnDemand')
      .meta({ example: 'write-report' }),
    actionVariables: freeFormObjectSchema
      .default({})
      .describe('Variables of the workflow; they take precedence over those of the contract')
      .meta({ example: { name: 'march', text: 'All invoices are in.' } }),
    extIPID: soundTextSchema
      .min(1)
      .max(64)
      .optional()
      .describe('Your identifier of this submission; a repetition creates no second job')
      .meta({ example: 'order-4711' }),
  })
  .meta({ id: 'JobSubmission' });

/** B1: submit a job for an OnDemand action. */
export const submitJobEndpoint = defineEndpoint({
  id: 'submitJob',
  tag: 'Job manager',
  method: 'POST',
  path: '/job-manager/jobs',
  summary: 'Submit a job',
  description:
    'Starts an OnDemand action of a contract and returns its job at once. With `extIPID` the same user can repeat the request safely: the response is then 409 with the existing job.',
  authentication: { kind: 'bearer', permission: 'jobs:run', ofActor: true },
  query: z.strictObject({}),
  repeatable: { in: 'body', name: 'extIPID' },
  body: { kind: 'json', limitValues: variablesLimit, schema: submissionSchema },
  responses: {
    201: { description: 'The new job', body: { kind: 'json', schema: jobSchema } },
    409: {
      description: 'The existing job of the same user, contract, action and extIPID',
      body: { kind: 'json', schema: jobSchema },
    },
  },
  errors: ['job_removed', 'contract_unknown', 'action_unknown', 'action_not_on_demand'],
});
