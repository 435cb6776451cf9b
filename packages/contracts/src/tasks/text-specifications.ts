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

/** The specifications of the tasks for texts. */
export const textSpecifications = {
  'line-ends': lineEndsSpecification,
} as const satisfies Record<string, TaskSpecification>;
