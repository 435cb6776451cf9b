import { z } from 'zod';
import { ifExistsParameter } from './file-parameters.ts';
import { decimalOutput, pathFor, type TaskSpecification, writtenFileOutputs } from './task-specification.ts';

/** `line-ends`. */
export const lineEndsSpecification = {
  summary:
    'Gives all lines of a text file the same end. The charset must be one of ASCII bytes, such as UTF-8 or ISO 8859.',
  parameters: z.strictObject({
    source: pathFor('download').describe('File to read'),
    target: pathFor('upload').describe('File to write'),
    to: z
      .enum(['lf', 'crlf'])
      .default('lf')
      .describe('`lf` (Unix) or `crlf` (Windows). CR, LF and CR LF end a line of the source'),
    ifExists: ifExistsParameter,
  }),
  outputs: writtenFileOutputs.extend({ lines: decimalOutput.describe('Line ends') }),
} as const satisfies TaskSpecification;

/** A label of the Encoding Standard, section 4.2, such as `windows-1252`, `iso-8859-15`, `utf-16le` or `shift_jis`. */
const charsetSchema = z.string().refine(isCharset, 'must be a charset such as windows-1252, iso-8859-15 or utf-16le');

/** `convert-charset`. */
export const convertCharsetSpecification = {
  summary: 'Converts a text file to UTF-8, without a byte order mark.',
  parameters: z.strictObject({
    source: pathFor('download').describe('File to read'),
    target: pathFor('upload').describe('File to write'),
    from: charsetSchema.describe(
      'Charset of the source, by a label of the Encoding Standard (`iso-8859-1` and `us-ascii` mean `windows-1252` there)',
    ),
    invalid: z
      .enum(['fail', 'replace'])
      .default('fail')
      .describe('What becomes of bytes that are no characters: the step fails, or U+FFFD replaces them'),
    ifExists: ifExistsParameter,
  }),
  outputs: writtenFileOutputs,
} as const satisfies TaskSpecification;

function isCharset(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}

/** The specifications of the tasks for texts. */
export const textSpecifications = {
  'convert-charset': convertCharsetSpecification,
  'line-ends': lineEndsSpecification,
} as const satisfies Record<string, TaskSpecification>;
