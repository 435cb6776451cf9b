import { z } from 'zod';
import { stepStubSchema } from '../../configuration/workflow-test.ts';
import { configuredNameSchema, configuredPathSchema, plainNameSchema } from '../../values/configured-names.ts';
import { freeFormObjectSchema } from '../../values/free-form-object.ts';
import { variablesLimit } from '../body-limits.ts';
import { defineEndpoint } from '../endpoint.ts';

const name = configuredNameSchema;

const questionSchema = z
  .strictObject({
    workflow: name
      .optional()
      .describe('Name of a workflow template; alternatively, `contract` and `action`')
      .meta({ example: 'compress' }),
    template: z
      .string()
      .min(1)
      .max(200_000)
      .optional()
      .describe(
        'A workflow template that is not stored, in YAML or JSON with the settings of a stored one; alternatively to `workflow`. With `contract` and `action`, it runs with the variables of that action',
      )
      .meta({ example: 'name: compress\nsteps:\n  - name: note\n    uses: log\n    with: { message: hello }\n' }),
    contract: name.optional().describe('Name of an enabled contract').meta({ example: 'invoices' }),
    action: name.optional().describe('Name of its action, with whose variables the workflow runs'),
    virtualFileSystem: plainNameSchema
      .optional()
      .describe('Where `path` is looked up; if it is absent, the file is imagined')
      .meta({ example: 'acme-files' }),
    path: configuredPathSchema
      .optional()
      .describe('The file that starts the job; absent: there is none')
      .meta({ example: '/inbox/march.csv' }),
    size: z.int().min(0).optional().describe('Bytes of an imagined file; 1024 if it is absent'),
    variables: freeFormObjectSchema
      .default({})
      .describe('Inputs of the workflow; they take precedence over the variables of the action')
      .meta({ example: { folder: '/outbox' } }),
    now: z.iso.datetime({ offset: true }).optional().describe('The time of the run; the present if it is absent'),
    steps: z
      .record(z.string().min(1).max(1_024), stepStubSchema)
      .default({})
      .describe('What steps give, by their names: outputs, a failure, or both for each item')
      .meta({ example: { compress: { outputs: { size: '10' } } } }),
  })
  .superRefine((question, context) => {
    const { workflow, template, contract, action, virtualFileSystem, path, size } = question;
    const refuse = (field: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [field], message });
    if (workflow !== undefined && template !== undefined) refuse('template', 'must be absent: workflow is given');
    if (workflow !== undefined && contract !== undefined) refuse('contract', 'must be absent: workflow is given');
    if (workflow !== undefined && action !== undefined) refuse('action', 'must be absent: workflow is given');
    if ([workflow, template, contract].every((subject) => subject === undefined))
      refuse('workflow', 'is missing: give it, a template, or contract and action');
    if (contract !== undefined && action === undefined) refuse('action', 'is missing');
    if (workflow === undefined && contract === undefined && action !== undefined) refuse('contract', 'is missing');
    if (virtualFileSystem !== undefined && path === undefined) refuse('path', 'is missing: it names the file');
    if (virtualFileSystem !== undefined && size !== undefined) refuse('size', 'must be absent: the file has its own');
    if (path === undefined && size !== undefined) refuse('size', 'must be absent: there is no file');
  })
  .meta({ id: 'DryRunQuestion' });

/** What a dry run is asked for. */
export type DryRunQuestion = z.infer<typeof questionSchema>;

const values = z.record(z.string(), z.unknown());
const error = z.string().describe('Why it would fail; empty otherwise');
const parameters = values
  .optional()
  .describe('The evaluated parameters; absent if it would not run, or if they cannot be evaluated')
  .meta({ example: { source: '/inbox/march.csv', target: '/outbox/march.csv.gz' } });
const outputs = values.describe('What later steps would find as its outputs');
const outputsFrom = z
  .enum(['task', 'placeholder', 'given', 'workflow'])
  .optional()
  .describe(
    '`task`: the task ran, since it touches nothing; `placeholder`: it did not run; `given`: some or all were in the request; `workflow`: the steps of the workflow that it runs gave them; absent: there are none',
  );

const itemSchema = z
  .object({
    index: z.int().min(0).describe('Its number in the list, from 0'),
    status: z.enum(['COMPLETED', 'FAILED']),
    with: parameters,
    outputs,
    outputsFrom,
    error,
  })
  .meta({ id: 'DryRunItem' });

const stepSchema = z
  .object({
    name: z
      .string()
      .describe('Its name; that of a step of a called workflow is `pack/compress`')
      .meta({ example: 'pack' }),
    task: z.string().describe('Its task, or `workflow`').meta({ example: 'gzip' }),
    does: z.string().describe('What its task does, in a sentence').meta({ example: 'Compresses a file with gzip.' }),
    section: z.enum(['steps', 'onError', 'finally']),
    status: z
      .enum(['COMPLETED', 'FAILED', 'SKIPPED', 'WAITING'])
      .describe('`SKIPPED`: its condition is not met; `WAITING`: it would not run, as the run does not come to it'),
    condition: z.union([z.boolean(), z.string()]).optional().describe('Its `if`; absent if it has none'),
    with: parameters,
    outputs,
    outputsFrom,
    error,
    dependsOn: z
      .array(z.string())
      .optional()
      .describe(
        'Steps of the same workflow whose placeholders its condition, its list or its parameters use: its status, parameters and outputs are known only in a real run; absent if there are none',
      )
      .meta({ example: ['compress'] }),
    items: z.array(itemSchema).optional().describe('The items of a `foreach` that would run'),
  })
  .meta({ id: 'DryRunStep' });

const fileSchema = z
  .object({
    virtualFileSystem: z.string().nullable().describe('Where it was found; null if it is imagined'),
    path: z.string().meta({ example: '/inbox/march.csv' }),
    size: z.string().describe('Bytes, decimal').meta({ example: '2048' }),
    fileset: z.string().nullable().describe('Its number; null if it is imagined'),
    startsAction: z
      .boolean()
      .optional()
      .describe(
        'Whether the trigger of the action is for this file; only of a stored file and an action that files start',
      ),
  })
  .meta({ id: 'DryRunFile' });

const answerSchema = z
  .object({
    workflow: z.string().describe('Name of the workflow template').meta({ example: 'compress' }),
    revision: z
      .int()
      .min(1)
      .nullable()
      .describe('Its newest revision, which the run is of; null for a template that is not stored'),
    contract: z.string().optional().describe('The contract, if it was given'),
    action: z.string().optional().describe('Its action, if it was given'),
    file: fileSchema.nullable().describe('The file that starts the job; null if there is none'),
    status: z.enum(['COMPLETED', 'ERROR']).describe('How the job would end'),
    message: z.string().describe('Why it would end in `ERROR`; empty otherwise'),
    outputs: values.describe('Of the workflow; empty if it would end in `ERROR`'),
    steps: z.array(stepSchema).describe('All steps, in the order of the template'),
  })
  .meta({ id: 'DryRun' });

/** What a workflow would do, as the platform shows it. */
export type DryRunView = z.infer<typeof answerSchema>;

/** Shows what a workflow would do. */
export const dryRunWorkflowEndpoint = defineEndpoint({
  id: 'dryRunWorkflow',
  tag: 'Configuration',
  method: 'POST',
  path: '/platform-application/api/v1/workflows/dry-run',
  summary: 'Show what a workflow would do',
  description:
    'Evaluates the conditions and the parameters of each step for a stored or an imagined file. Tasks that touch nothing run; the others are described. Nothing is changed. Values whose names say that they are secret are masked before anything is evaluated. Callers who are limited to actors name a contract of theirs, and no template; a stored file needs the permission jobs:read, too. A `template` that is not stored is checked first, and nothing of it is stored: errors have the line and the column, if it is YAML. What depends on the rest of the configuration, such as the actions that use it, is checked when it is stored.',
  authentication: { kind: 'bearer', permission: 'configuration:read', ofActor: true },
  query: z.strictObject({}),
  repeatable: true,
  body: { kind: 'json', limitValues: variablesLimit, schema: questionSchema },
  responses: { 200: { description: 'What it would do', body: { kind: 'json', schema: answerSchema } } },
  errors: [
    'contract_unknown',
    'action_unknown',
    'entity_unknown',
    'file_not_found',
    'not_a_file',
    'configuration_invalid',
  ],
});
