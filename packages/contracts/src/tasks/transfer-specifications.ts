import { z } from 'zod';
import { connectionParameter } from './entity-reference.ts';
import { decimalOutput, pathFor, type TaskSpecification } from './task-specification.ts';

/** A path on the other side, as its server takes it. */
const remotePath = z
  .string()
  .min(1)
  .max(4_096)
  .regex(/^[^\0\n\r]+$/u, 'has no line ends and no NUL');

/** The parameters of the tasks that send a file. */
const pushParameters = (type: string) =>
  z.strictObject({
    connection: connectionParameter(type),
    source: pathFor('download').describe('File to send'),
    target: remotePath.describe(
      'Path on the server; with a slash at its end, a folder that gets the name of the source',
    ),
    ifExists: z
      .enum(['replace', 'fail'])
      .default('replace')
      .describe('`replace` or `fail`: what to do if the server has a file of this name'),
  });

/** The parameters of the tasks that fetch files. */
const pullParameters = (type: string) =>
  z.strictObject({
    connection: connectionParameter(type),
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
  });

const resumedPushOutputs = z.object({
  remotePath: z.string().describe('Path on the server'),
  size: decimalOutput.describe('Its bytes'),
  resumedAt: decimalOutput.describe(
    'Bytes that an interrupted transfer had left on the server; 0 if it was not resumed',
  ),
});

const pullOutputs = z.object({
  count: decimalOutput.describe('Fetched files'),
  size: decimalOutput.describe('Their bytes'),
  paths: z.string().describe('Their paths here, as a JSON array'),
  skipped: decimalOutput.describe('Files whose names cannot be paths here'),
});

/** `sftp-push`. */
export const sftpPushSpecification = {
  summary:
    'Sends a file to an SFTP server. It is written under a temporary name and renamed when it is complete; an interrupted transfer is resumed.',
  parameters: pushParameters('sftp'),
  outputs: resumedPushOutputs,
} as const satisfies TaskSpecification;

/** `sftp-pull`. */
export const sftpPullSpecification = {
  summary:
    'Fetches files from an SFTP server into a folder. Each file is complete and unchanged when it appears; an interrupted transfer goes on where it was.',
  parameters: pullParameters('sftp'),
  outputs: pullOutputs,
} as const satisfies TaskSpecification;

/** `s3-push`. */
export const s3PushSpecification = {
  summary:
    'Sends a file to a bucket. The object appears when it is complete: large files are sent in parts. The checksum of each part is compared.',
  parameters: pushParameters('s3'),
  outputs: z.object({
    remotePath: z.string().describe('Key of the object'),
    size: decimalOutput.describe('Its bytes'),
    etag: z.string().describe('Its ETag'),
  }),
} as const satisfies TaskSpecification;

/** `s3-pull`. */
export const s3PullSpecification = {
  summary:
    'Fetches objects from a bucket into a folder. Each file is complete and unchanged when it appears; its checksum is compared where the server has one.',
  parameters: pullParameters('s3'),
  outputs: pullOutputs,
} as const satisfies TaskSpecification;

/** `ftps-push`. */
export const ftpsPushSpecification = {
  summary:
    'Sends a file to an FTP server with TLS. It is written under a temporary name and renamed when it is complete; an interrupted transfer is resumed.',
  parameters: pushParameters('ftps'),
  outputs: resumedPushOutputs,
} as const satisfies TaskSpecification;

/** `ftps-pull`. */
export const ftpsPullSpecification = {
  summary:
    'Fetches files from an FTP server with TLS into a folder. Each file is complete and unchanged when it appears; an interrupted transfer goes on where it was.',
  parameters: pullParameters('ftps'),
  outputs: pullOutputs,
} as const satisfies TaskSpecification;
