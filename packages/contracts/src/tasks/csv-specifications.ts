import { z } from 'zod';
import { ifExistsParameter } from './file-parameters.ts';
import { decimalOutput, pathFor, type TaskSpecification, writtenFileOutputs } from './task-specification.ts';

/** What the text of a field must be. */
const fieldTypeSchema = z
  .enum(['text', 'integer', 'decimal', 'boolean', 'date', 'datetime'])
  .default('text')
  .describe(
    '`text`, `integer`, `decimal`, `boolean` (`true`, `false`, `1`, `0`), `date` (2026-03-02) or `datetime` (2026-03-02T18:00:00Z)',
  );

/** A type of a field. */
export type FieldType = z.output<typeof fieldTypeSchema>;

const columnName = z.string().min(1).max(512);

const columnShape = {
  name: columnName.describe('Name in the header; without a header, columns are in the order of the file'),
  type: fieldTypeSchema,
  required: z.boolean().default(false).describe('The field is not empty'),
};

/** A column that `csv-validate` checks. */
export const csvColumnSchema = z.strictObject({
  ...columnShape,
  unique: z.boolean().default(false).describe('No two records have the same value; empty fields are not compared'),
  values: z.array(z.string()).min(1).max(1_000).optional().describe('The permitted values'),
  maxLength: z.int().min(1).max(1_048_576).optional().describe('Characters of the field'),
});

/** A column that `csv-to-json` converts. */
export const jsonColumnSchema = z.strictObject({
  ...columnShape,
  as: columnName.optional().describe('Name in the objects; `name` if it is absent'),
});

const oneCharacter = z
  .string()
  .regex(/^[^\r\n\0\p{Letter}\p{Number}]$/u, 'must be one character, and no letter, digit or line end');

/** How the records of a file are written. */
export const csvFormatShape = {
  header: z.boolean().default(true).describe('Whether the first record has the names of the columns'),
  delimiter: oneCharacter.or(z.literal('tab')).default(',').describe('Character between fields, or `tab`'),
  quote: oneCharacter
    .or(z.literal('none'))
    .default('"')
    .describe('Character around fields that contain delimiters or line ends, doubled inside them; or `none`'),
  trim: z.boolean().default(false).describe('Whether blanks around fields are dropped'),
  decimalMark: z.enum(['.', ',']).default('.').describe('Character before the fraction of a `decimal`'),
  fieldBytesAtMost: z.coerce.number().int().min(1).max(4_194_304).default(262_144).describe('Bytes of a field'),
  recordBytesAtMost: z.coerce.number().int().min(1).max(4_194_304).default(1_048_576).describe('Bytes of a record'),
};

const columnsAtMost = 1_000;

/** `csv-validate`. */
export const csvValidateSpecification = {
  summary:
    'Checks a CSV file (RFC 4180, UTF-8): its format, and the columns, types, required and unique values that are given. Every error has the number of its line.',
  parameters: z
    .strictObject({
      source: pathFor('download').describe('File to check'),
      columns: z
        .array(csvColumnSchema)
        .min(1)
        .max(columnsAtMost)
        .optional()
        .describe(
          'List of columns, each with `name` and, if wanted, `type` (`text`, `integer`, `decimal`, `boolean`, `date`, `datetime`), `required`, `unique` (at most 2 000 000 values in a file), `values` and `maxLength`. If it is absent, the format alone is checked, and that all records have the same number of fields',
        ),
      otherColumns: z
        .enum(['fail', 'allow'])
        .default('fail')
        .describe('`fail` or `allow`: columns of the header that `columns` does not name'),
      ...csvFormatShape,
      errorsAtMost: z.coerce
        .number()
        .int()
        .min(1)
        .max(10_000)
        .default(100)
        .describe('Reading stops after so many errors'),
      report: pathFor('upload')
        .optional()
        .describe('File to write with one JSON object for each error: `line`, `column`, `message`'),
      onErrors: z
        .enum(['fail', 'continue'])
        .default('fail')
        .describe('What errors do: `continue` completes the step, whose outputs tell. The report is written before'),
    })
    .refine(({ delimiter, quote }) => delimiter !== quote, { path: ['quote'], message: 'is the delimiter' }),
  outputs: writtenFileOutputs
    .partial()
    .extend({
      valid: z.boolean().describe('Whether there is no error'),
      rows: decimalOutput.describe('Records that were read, without the header'),
      errorCount: decimalOutput.describe('Errors that were found'),
      complete: z
        .boolean()
        .describe('Whether the file was read to its end: `errorsAtMost` and errors of the format stop it'),
      errors: z.array(z.string()).describe('The first 20 errors, such as `line 7, column "amount": "x" is no decimal`'),
    })
    .describe('`path`, `fileset`, `size` and `sha256` are those of the report, if there is one'),
} as const satisfies TaskSpecification;

/** `csv-to-json`. */
export const csvToJsonSpecification = {
  summary:
    'Converts a CSV file (RFC 4180, UTF-8) to JSON, one object for each record. The first error ends the step, and no file appears. Numbers keep all their digits.',
  parameters: z
    .strictObject({
      source: pathFor('download').describe('File to read'),
      target: pathFor('upload').describe('File to write'),
      format: z
        .enum(['array', 'ndjson'])
        .default('array')
        .describe('`array`: one JSON array; `ndjson`: one object in each line'),
      columns: z
        .array(jsonColumnSchema)
        .min(1)
        .max(columnsAtMost)
        .optional()
        .describe(
          'List of columns, each with `name` and, if wanted, `as` (name in the objects), `type` (as with `csv-validate`) and `required`. Empty fields that are no text become `null`. If it is absent, all columns of the header are text',
        ),
      otherColumns: z
        .enum(['keep', 'drop', 'fail'])
        .default('keep')
        .describe('`keep` (as text), `drop` or `fail`: columns of the header that `columns` does not name'),
      ...csvFormatShape,
      ifExists: ifExistsParameter,
    })
    .refine(({ delimiter, quote }) => delimiter !== quote, { path: ['quote'], message: 'is the delimiter' })
    .refine(({ header, columns }) => header || columns !== undefined, {
      path: ['columns'],
      message: 'is required without a header',
    }),
  outputs: writtenFileOutputs.extend({ rows: decimalOutput.describe('Objects') }),
} as const satisfies TaskSpecification;

/** The specifications of the tasks for CSV. */
export const csvSpecifications = {
  'csv-validate': csvValidateSpecification,
  'csv-to-json': csvToJsonSpecification,
} as const satisfies Record<string, TaskSpecification>;
