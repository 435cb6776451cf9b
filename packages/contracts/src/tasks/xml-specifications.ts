import { z } from 'zod';
import { pathListParameter } from './file-parameters.ts';
import { decimalOutput, pathFor, type TaskSpecification, writtenFileOutputs } from './task-specification.ts';

/** `xml-validate`. */
export const xmlValidateSpecification = {
  summary:
    'Checks that a file is well-formed XML, and with a schema (XSD 1.0) that it is valid. Nothing outside of the given files is ever read: no external entity, no DTD and no network. A document that expands its entities to a multiple of its size is refused, as are elements deeper than 256 and texts of more than 10 MB.',
  parameters: z.strictObject({
    source: pathFor('download').describe('File to check'),
    schema: pathFor('download').optional().describe('XSD file; if it is absent, the file has to be well-formed only'),
    includes: pathListParameter
      .optional()
      .describe(
        'Further XSD files, which the schema includes or imports: those whose last name is that of a `schemaLocation`. A schema that names a file that is not given is refused',
      ),
    doctype: z
      .enum(['fail', 'allow'])
      .default('fail')
      .describe(
        '`fail` or `allow`: a document type declaration. External entities stay empty, and documents are not validated against it',
      ),
    bytesAtMost: z.coerce
      .number()
      .int()
      .min(1)
      .max(67_108_864)
      .default(10_485_760)
      .describe(
        'Bytes of the file. A document is in memory while it is checked, at most 256 MiB: about 10 times its size',
      ),
    secondsAtMost: z.coerce.number().int().min(1).max(3_600).default(60).describe('Time of the check'),
    errorsAtMost: z.coerce.number().int().min(1).max(10_000).default(100).describe('Errors of the report'),
    report: pathFor('upload')
      .optional()
      .describe('File to write with one JSON object for each error: `line`, `message`'),
    onErrors: z
      .enum(['fail', 'continue'])
      .default('fail')
      .describe(
        'What errors of the document do: `continue` completes the step, whose outputs tell. The report is written before. Errors of the schema always fail the step',
      ),
  }),
  outputs: writtenFileOutputs.partial().extend({
    valid: z.boolean().describe('Whether there is no error'),
    root: z.string().describe('Name of the first element; empty if the file is not well-formed'),
    namespace: z.string().describe('Its namespace; may be empty'),
    errorCount: decimalOutput.describe('Errors that were found'),
    errors: z
      .array(z.string())
      .describe('The first 20 errors, such as `line 7: Opening and ending tag mismatch: a line 1 and b`'),
  }),
} as const satisfies TaskSpecification;
