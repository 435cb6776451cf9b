import { z } from 'zod';
import { archiveSpecifications } from './archive-specifications.ts';
import { checksumAlgorithmSchema } from './checksum-algorithm.ts';
import { runCommandSpecification } from './command-specifications.ts';
import {
  pgpDecryptSpecification,
  pgpEncryptSpecification,
  pgpSignSpecification,
  pgpVerifySpecification,
} from './crypto-specifications.ts';
import { csvSpecifications } from './csv-specifications.ts';
import { fileSpecifications } from './file-specifications.ts';
import { logSpecification, raiseErrorSpecification, submitJobSpecification } from './flow-specifications.ts';
import { httpRequestSpecification, sendEmailSpecification, webhookSpecification } from './network-specifications.ts';
import { virusScanSpecification } from './scan-specifications.ts';
import { decimalOutput, pathFor, type TaskSpecification, writtenFileOutputs } from './task-specification.ts';
import { textSpecifications } from './text-specifications.ts';
import {
  ftpsPullSpecification,
  ftpsPushSpecification,
  s3PullSpecification,
  s3PushSpecification,
  sftpPullSpecification,
  sftpPushSpecification,
} from './transfer-specifications.ts';
import {
  waitForApprovalSpecification,
  waitForFileSpecification,
  waitSpecification,
  waitUntilSpecification,
} from './wait-specifications.ts';
import { xmlValidateSpecification } from './xml-specifications.ts';

/** `gzip`. */
export const gzipSpecification = {
  summary: 'Compresses a file with gzip (RFC 1952). A file at the target is replaced.',
  parameters: z.strictObject({
    source: pathFor('download').describe('File to compress'),
    target: pathFor('upload').describe('File to write'),
  }),
  outputs: writtenFileOutputs,
} as const satisfies TaskSpecification;

/** `checksum`. */
export const checksumSpecification = {
  summary:
    'Computes the checksum of a file, for later steps, compares it with an expected one, and writes it beside the file. MD5, SHA-1 and CRC-32 detect accidents and no attacks.',
  parameters: z.strictObject({
    source: pathFor('download').describe('File to read'),
    algorithm: checksumAlgorithmSchema.default('sha256').describe('`sha256`, `sha512`, `sha1`, `md5` or `crc32`'),
    expected: z
      .string()
      .regex(/^[\da-f]{8,128}$/iu, 'must be a hexadecimal checksum')
      .optional()
      .describe('The checksum that the file must have; another one ends the step'),
    compareWith: pathFor('download')
      .optional()
      .describe('File with the checksum that the file must have, as `sha256sum` or BSD write it; at most 64 KiB'),
    writeTo: pathFor('upload').optional().describe('File to write the checksum to, as `sha256sum` writes it'),
  }),
  outputs: z.object({
    path: z.string().describe('Path of the file'),
    size: decimalOutput.describe('Its bytes'),
    algorithm: z.string().describe('The algorithm'),
    checksum: z.string().describe('The checksum, hexadecimal'),
    verified: z.boolean().describe('Whether it was compared'),
  }),
} as const satisfies TaskSpecification;

/** `write-file`. */
export const writeFileSpecification = {
  summary: 'Writes a text, as UTF-8, into a file. A file at the path is replaced.',
  parameters: z.strictObject({
    path: pathFor('upload').describe('File to write'),
    text: z.string().describe('What it holds'),
    mediaType: z.string().min(1).default('text/plain; charset=utf-8').describe('Media type of the file'),
  }),
  outputs: writtenFileOutputs,
} as const satisfies TaskSpecification;

/** The parameters and outputs of every task. */
export const taskSpecifications = {
  gzip: gzipSpecification,
  checksum: checksumSpecification,
  'write-file': writeFileSpecification,
  ...fileSpecifications,
  ...archiveSpecifications,
  ...textSpecifications,
  ...csvSpecifications,
  'xml-validate': xmlValidateSpecification,
  'sftp-push': sftpPushSpecification,
  'sftp-pull': sftpPullSpecification,
  'ftps-push': ftpsPushSpecification,
  'ftps-pull': ftpsPullSpecification,
  's3-push': s3PushSpecification,
  's3-pull': s3PullSpecification,
  'http-request': httpRequestSpecification,
  webhook: webhookSpecification,
  'send-email': sendEmailSpecification,
  'virus-scan': virusScanSpecification,
  'run-command': runCommandSpecification,
  'pgp-encrypt': pgpEncryptSpecification,
  'pgp-decrypt': pgpDecryptSpecification,
  'pgp-sign': pgpSignSpecification,
  'pgp-verify': pgpVerifySpecification,
  log: logSpecification,
  'raise-error': raiseErrorSpecification,
  'submit-job': submitJobSpecification,
  wait: waitSpecification,
  'wait-until': waitUntilSpecification,
  'wait-for-file': waitForFileSpecification,
  'wait-for-approval': waitForApprovalSpecification,
} as const satisfies Record<string, TaskSpecification>;

/** Tasks at which a job waits in the status SUSPENDED. */
const waitingTasks: ReadonlySet<string> = new Set(['wait', 'wait-until', 'wait-for-file', 'wait-for-approval']);

/** Whether a job can wait at a step with this task. */
export function isWaitingTask(task: string): boolean {
  return waitingTasks.has(task);
}
