import { z } from 'zod';
import { connectionParameter } from './entity-reference.ts';
import { decimalOutput, pathFor, type TaskSpecification } from './task-specification.ts';

/** `virus-scan`. */
export const virusScanSpecification = {
  summary:
    'Lets ClamAV, or a scanner that speaks ICAP, scan a file. The step fails with `file_infected` if a virus is found, and with another error if the file could not be scanned.',
  parameters: z.strictObject({
    connection: connectionParameter('clamav', 'icap'),
    source: pathFor('download').describe('File to scan'),
  }),
  outputs: z.object({
    path: z.string().describe('Path of the file'),
    fileset: z.string().describe('Number of the version that was scanned'),
    size: decimalOutput.describe('Its bytes'),
  }),
} as const satisfies TaskSpecification;
