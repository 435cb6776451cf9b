import { z } from 'zod';
import { ifExistsParameter } from './file-parameters.ts';
import { pathFor, type TaskSpecification, writtenFileOutputs } from './task-specification.ts';

const argumentSchema = z
  .string()
  .max(4_096)
  .regex(/^[^\0]*$/u, 'has no NUL');

/** `run-command`. */
export const runCommandSpecification = {
  summary:
    'Runs a program of the machine of the worker. It is off until `RUN_COMMANDS` names the program. There is no shell: arguments reach the program as they are. It runs as a user of its own, with a clean environment and limits of time, memory, processes and output; when it ends, all its processes end. A step that is tried again runs it again, unless it has written `output`.',
  parameters: z
    .strictObject({
      command: z
        .string()
        .max(4_096)
        .regex(/^\/[^\0]+$/u, 'must be an absolute path')
        .describe('Absolute path, as `RUN_COMMANDS` has it'),
      arguments: z
        .array(argumentSchema)
        .max(100)
        .default([])
        .describe('List of arguments, after those that `RUN_COMMANDS` has'),
      input: pathFor('download').optional().describe('File that the program reads as its standard input'),
      inputText: z.string().max(1_048_576).optional().describe('Text, in place of a file'),
      output: pathFor('upload')
        .optional()
        .describe('File to write with its standard output. It appears if the program succeeds'),
      mediaType: z.string().min(1).default('application/octet-stream').describe('Media type of that file'),
      ifExists: ifExistsParameter,
      successCodes: z
        .array(z.int().min(0).max(255))
        .min(1)
        .max(256)
        .default([0])
        .describe('Exit codes that complete the step; others fail it'),
    })
    .refine(({ input, inputText }) => input === undefined || inputText === undefined, {
      path: ['inputText'],
      message: 'is not possible beside input',
    }),
  outputs: writtenFileOutputs.partial().extend({
    exitCode: z.int().optional().describe('Its exit code; absent if an earlier attempt has written the file'),
    outputText: z.string().describe('Without `output`: the first 64 KiB of its standard output'),
    errorText: z.string().describe('The last 4 KiB of its standard error'),
  }),
} as const satisfies TaskSpecification;
