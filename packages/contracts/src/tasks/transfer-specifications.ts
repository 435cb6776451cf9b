import { z } from 'zod';
import { plainNameSchema } from '../values/configured-names.ts';
import { decimalOutput, pathFor, type TaskSpecification } from './task-specification.ts';

/** A path on the other side, as its server takes it. */
const remotePath = z
  .string()
  .min(1)
  .max(4_096)
  .regex(/^[^\0\n\r]+$/u, 'has no line ends and no NUL');

const connection = plainNameSchema.describe('Client connection of the type `sftp`');

/** `sftp-push`. */
export const sftpPushSpecification = {
  summary:
    'Sends a file to an SFTP server. It is written under a temporary name and renamed when it is complete; an interrupted transfer is resumed.',
  parameters: z.strictObject({
    connection,
    source: pathFor('download').describe('File to send'),
    target: remotePath.describe(
      'Path on the server; with a slash at its end, a folder that gets the name of the source',
    ),
    ifExists: z
      .enum(['replace', 'fail'])
      .default('replace')
      .describe('`replace` or `fail`: what to do if the server has a file of this name'),
  }),
  outputs: z.object({
    remotePath: z.string().describe('Path on the server'),
    size: decimalOutput.describe('Its bytes'),
    resumedAt: decimalOutput.describe(
      'Bytes that an interrupted transfer had left on the server; 0 if it was not resumed',
    ),
  }),
} as const satisfies TaskSpecification;

/** `sftp-pull`. */
export const sftpPullSpecification = {
  summary:
    'Fetches files from an SFTP server into a folder. Each file is complete and unchanged when it appears; an interrupted transfer goes on where it was.',
  parameters: z.strictObject({
    connection,
    source: remotePath.describe('Path on the server; its last name may contain `*` for many files'),
    folder: pathFor('upload').describe('Folder to write to'),
    afterwards: z
      .enum(['keep', 'delete', 'move'])
      .default('keep')
      .describe('`keep`, `delete` or `move`: what happens to each file on the server once it is stored here'),
    moveTo: remotePath.optional().describe('Folder on the server for `move`'),
    filesAtMost: z.coerce.number().int().min(1).max(100_000).default(1_000).describe('The first ones by name'),
    minAgeSeconds: z.coerce
      .number()
      .int()
      .min(0)
      .max(86_400)
      .default(0)
      .describe('Files that were changed more recently are left for the next time: they may not be complete'),
  }),
  outputs: z.object({
    count: decimalOutput.describe('Fetched files'),
    size: decimalOutput.describe('Their bytes'),
    paths: z.string().describe('Their paths here, as a JSON array'),
    skipped: decimalOutput.describe('Files whose names cannot be paths here'),
  }),
} as const satisfies TaskSpecification;
