import { z } from 'zod';
import { configurationSourceSchema } from '../../configuration/configuration-source.ts';
import { fieldErrorSchema } from '../../errors/problem.ts';
import { soundTextSchema } from '../../values/sound-text.ts';

/** The most bytes that a request with a document may have. */
export const documentLimitBytes = 32 * 1024 * 1024;

const fileSchema = soundTextSchema
  .min(1)
  .max(255)
  .describe('The name of the file, for people: a refused change names it')
  .meta({ example: 'platform.yaml' });

/** A document of the configuration in a request. */
export const givenDocumentSchema = z
  .strictObject({
    source: configurationSourceSchema
      .optional()
      .describe('The source of the document, which may name it itself')
      .meta({ example: 'logistics' }),
    file: fileSchema.default('configuration'),
    document: z.string().describe('A configuration as `waybill apply` reads it, in YAML or JSON'),
    variables: z
      .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/u), z.string().max(65_536))
      .default({})
      .describe('The values of `${NAME}` in the document; none is taken from the server')
      .meta({ example: { ACME_PASSWORD: 'a long password' } }),
    defaults: z
      .array(z.string().max(255))
      .max(10_000)
      .default([])
      .describe('Names of variables whose passwords are only first passwords, and replace none'),
  })
  .meta({ id: 'ConfigurationDocument' });

/** A document of the configuration in a request, as a client sends it. */
export type DocumentRequest = z.input<typeof givenDocumentSchema>;

const countsSchema = z.object({ created: z.int(), modified: z.int(), deleted: z.int() });

/** A setting that differs. */
export const settingDifferenceSchema = z
  .object({
    setting: z.string().describe('As in `limits.files`').meta({ example: 'limits.files' }),
    before: z.unknown().optional().describe('Absent if it was not set'),
    after: z.unknown().optional().describe('Absent if it is not set'),
  })
  .meta({ id: 'SettingDifference' });

/** What changes in one object. Possible secrets are not shown, and long values are cut. */
export const objectChangeSchema = z
  .object({
    change: z.enum(['created', 'modified', 'deleted']),
    entityType: z.string().meta({ example: 'VFS' }),
    name: z.string().meta({ example: 'acme-files' }),
    actor: z.string().optional().meta({ example: 'acme' }),
    differences: z.array(settingDifferenceSchema),
  })
  .meta({ id: 'ObjectChange' });

/** What changes in one object. */
export type ObjectChange = z.infer<typeof objectChangeSchema>;

/** What a change of objects would do, of which nothing is done. */
export const changePreviewSchema = z
  .object({
    changes: z.array(objectChangeSchema).describe('Empty if everything is as it would be'),
    consequences: z.array(z.string()).describe('What follows from the changes, such as files that are deleted at once'),
    uses: z
      .array(
        z.object({
          entityType: z.string().meta({ example: 'Connection Contract' }),
          name: z.string().meta({ example: 'acme-sftp' }),
          actor: z.string().optional().meta({ example: 'acme' }),
          setting: z.string().meta({ example: 'clauses[0].vfs' }),
          of: z.string().describe('The object that would change').meta({ example: 'acme-files' }),
        }),
      )
      .describe('The settings of other objects that refer to those that would change'),
  })
  .meta({ id: 'ChangePreview' });

/** What a change of objects would do, of which nothing is done. */
export type ChangePreview = z.infer<typeof changePreviewSchema>;

/** In the query of requests that change objects: nothing is changed, and the answer is a `ChangePreview`. */
export const dryRunShape = {
  dryRun: z
    .enum(['true', 'false'])
    .optional()
    .describe('`true` changes nothing, and the answer tells what would change')
    .meta({ example: 'true' }),
};

/** A plan: what applying a document would change. */
export const planViewSchema = z
  .object({
    planId: z.uuid().describe('For `configuration/apply`').meta({ example: '0198c7a4-5d0e-7c3f-9d43-3f1f1b7a8f10' }),
    source: z.string(),
    file: z.string(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().describe('Until then it can be applied'),
    counts: countsSchema,
    changes: z.array(objectChangeSchema),
    consequences: z.array(z.string()).describe('What follows from the changes, such as files that are deleted at once'),
    warnings: z
      .array(z.object({ place: z.string(), message: z.string() }))
      .describe('Settings that probably do not do what is intended'),
  })
  .meta({ id: 'ConfigurationPlan' });

/** A plan: what applying a document would change. */
export type PlanView = z.infer<typeof planViewSchema>;

/** A plan that is in force. */
export const appliedPlanSchema = z
  .object({
    planId: z.uuid(),
    source: z.string(),
    file: z.string(),
    counts: countsSchema,
    isRepeated: z
      .boolean()
      .describe('It had been applied before: nothing was changed now, and folders that were missing were created'),
    foldersCreated: z.array(z.string()).describe('As in `acme-files:/inbox`'),
    firstPasswords: z
      .array(z.object({ userName: z.string(), code: z.string(), hours: z.int() }))
      .describe('Codes with which manager users without a password set one; they are shown only here'),
  })
  .meta({ id: 'AppliedPlan' });

/** A plan that is in force. */
export type AppliedPlanView = z.infer<typeof appliedPlanSchema>;

/** The result of a check. */
export const validationSchema = z
  .object({
    isValid: z.boolean(),
    errors: z.array(fieldErrorSchema).describe('What is wrong at which place'),
  })
  .meta({ id: 'ConfigurationValidation' });

/** An exported document. */
export const exportedDocumentSchema = z
  .object({
    source: z.string().nullable().describe('Its source; null: what the API owns'),
    file: z.string().nullable().describe('The file that the source has applied last'),
    document: z.string().describe('In the requested format, without passwords; other secrets are references'),
  })
  .meta({ id: 'ExportedConfiguration' });

/** An exported document. */
export type ExportedDocument = z.infer<typeof exportedDocumentSchema>;
