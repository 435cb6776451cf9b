import { z } from 'zod';
import { plainNameSchema } from '../values/configured-names.ts';
import { decimalOutput, pathFor, type TaskSpecification } from './task-specification.ts';

/** `virus-scan`. */
export const virusScanSpecification = {
  summary:
    'Lets ClamAV scan a file. The step fails with `file_infected` if a virus is found, and with another error if the file could not be scanned.',
  parameters: z.strictObject({
    connection: plainNameSchema.describe('Client connection of the type `clamav`'),
    source: pathFor('download').describe('File to scan'),
  }),
  outputs: z.object({
    path: z.string().describe('Path of the file'),
    fileset: z.string().describe('Number of the version that was scanned'),
    size: decimalOutput.describe('Its bytes'),
  }),
} as const satisfies TaskSpecification;
