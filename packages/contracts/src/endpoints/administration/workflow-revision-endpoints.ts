import { z } from 'zod';
import { workflowTemplateSchema } from '../../configuration/workflow-template.ts';
import { configuredNameSchema } from '../../values/configured-names.ts';
import { digitsAsNumber } from '../../values/digits-as-number.ts';
import { defineEndpoint, type EndpointContract } from '../endpoint.ts';

const path = '/platform-application/api/v1/workflow-templates/:name/revisions';
const tag = 'Configuration';
const reading = { kind: 'bearer', permission: 'configuration:read', ofActor: false } as const;

/** Revisions are numbered from 1; more than these PostgreSQL cannot store. */
const numberSchema = z.int().min(1).max(2_147_483_647);
const revisionNumberSchema = z.preprocess(digitsAsNumber, numberSchema);

const nameSchema = z.object({
  name: configuredNameSchema.describe('Name of the workflow template; a slash is written `%2F`').meta({
    example: 'compress',
  }),
});

const revisionShape = {
  revision: numberSchema.describe('Its number, from 1').meta({ example: 3 }),
  current: z.boolean().describe('Whether new jobs run it').meta({ example: true }),
  appliedAt: z.iso.datetime().describe('When it was applied').meta({ example: '2026-03-02T05:00:00.000Z' }),
  appliedBy: z
    .string()
    .nullable()
    .describe('The user who has applied it; null for revisions of earlier versions of the platform')
    .meta({ example: 'admin' }),
};

const revisionSchema = z.object(revisionShape).meta({ id: 'WorkflowRevision' });

const documentSchema = workflowTemplateSchema
  .omit({ tests: true })
  .describe('The template as it was, without tests. What the workflows were that it runs, their revisions show');

const wholeRevisionSchema = z
  .object({ name: z.string().describe('Name of the workflow template'), ...revisionShape, document: documentSchema })
  .meta({ id: 'WorkflowRevisionDocument' });

/** A revision of a workflow template with its document. */
export type WorkflowRevisionView = z.infer<typeof wholeRevisionSchema>;

/** List the revisions of a workflow template. */
export const listWorkflowRevisionsEndpoint = defineEndpoint({
  id: 'listWorkflowRevisions',
  tag,
  method: 'GET',
  path,
  summary: 'List the revisions of a workflow template',
  description: 'The newest first. Revisions never change, and are never removed while there is the template.',
  authentication: reading,
  params: nameSchema,
  query: z.strictObject({
    maxItems: z
      .preprocess(digitsAsNumber, z.int().min(1).max(1_000))
      .default(100)
      .describe('Revisions on one page; 100 by default')
      .meta({ example: 100 }),
    cursor: revisionNumberSchema.optional().describe('Start of the page; part of a `next` link, opaque to callers'),
  }),
  responses: {
    200: {
      description: 'A page of revisions',
      body: {
        kind: 'json',
        schema: z.object({
          items: z.array(revisionSchema).describe('The revisions of this page'),
          next: z.string().optional().describe('Link to the next page; absent on the last page'),
        }),
      },
    },
  },
  errors: ['entity_unknown'],
});

/** Show a revision of a workflow template. */
export const findWorkflowRevisionEndpoint = defineEndpoint({
  id: 'findWorkflowRevision',
  tag,
  method: 'GET',
  path: `${path}/:revision`,
  summary: 'Show a revision of a workflow template',
  authentication: reading,
  params: nameSchema.extend({ revision: revisionNumberSchema.describe('Its number').meta({ example: 3 }) }),
  query: z.strictObject({}),
  responses: { 200: { description: 'The revision', body: { kind: 'json', schema: wholeRevisionSchema } } },
  errors: ['entity_unknown'],
});

/** The endpoints of the revisions of workflow templates. */
export const workflowRevisionEndpoints: readonly EndpointContract[] = [
  listWorkflowRevisionsEndpoint,
  findWorkflowRevisionEndpoint,
];
