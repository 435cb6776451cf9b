import type { TaskName } from '@waybill/contracts/configuration/workflow-step';
import type { Task } from '../domain/workflows/task.ts';
import { archiveTasks } from './archives/archive-tasks.ts';
import { gzipTask } from './archives/gzip-task.ts';
import { pgpDecryptTask, pgpVerifyTask } from './crypto/pgp-decrypt-task.ts';
import { pgpEncryptTask, pgpSignTask } from './crypto/pgp-encrypt-task.ts';
import { csvToJsonTask } from './csv/csv-to-json-task.ts';
import { csvValidateTask } from './csv/csv-validate-task.ts';
import { checksumTask } from './files/checksum-task.ts';
import { fileTasks } from './files/file-tasks.ts';
import { runCommandTask } from './files/run-command-task.ts';
import { writeFileTask } from './files/write-file-task.ts';
import { logTask, raiseErrorTask } from './flow/message-tasks.ts';
import { submitJobTask } from './flow/submit-job-task.ts';
import { waitForApprovalTask } from './flow/wait-for-approval-task.ts';
import { waitForFileTask } from './flow/wait-for-file-task.ts';
import { waitTask, waitUntilTask } from './flow/wait-tasks.ts';
import { httpRequestTask } from './network/http-request-task.ts';
import { sendEmailTask } from './network/send-email-task.ts';
import { virusScanTask } from './network/virus-scan-task.ts';
import { webhookTask } from './network/webhook-task.ts';
import { convertCharsetTask } from './text/convert-charset-task.ts';
import { lineEndsTask } from './text/line-ends-task.ts';
import { xmlValidateTask } from './text/xml-validate-task.ts';
import { ftpsPullTask, ftpsPushTask } from './transfer/ftps-tasks.ts';
import { s3PullTask, s3PushTask } from './transfer/s3-tasks.ts';
import { sftpPullTask } from './transfer/sftp-pull-task.ts';
import { sftpPushTask } from './transfer/sftp-push-task.ts';

/** Everything that a step can use. */
export const taskTable = {
  gzip: gzipTask,
  checksum: checksumTask,
  'write-file': writeFileTask,
  ...fileTasks,
  ...archiveTasks,
  'convert-charset': convertCharsetTask,
  'line-ends': lineEndsTask,
  'csv-validate': csvValidateTask,
  'csv-to-json': csvToJsonTask,
  'xml-validate': xmlValidateTask,
  'sftp-push': sftpPushTask,
  'sftp-pull': sftpPullTask,
  'ftps-push': ftpsPushTask,
  'ftps-pull': ftpsPullTask,
  's3-push': s3PushTask,
  's3-pull': s3PullTask,
  'http-request': httpRequestTask,
  webhook: webhookTask,
  'send-email': sendEmailTask,
  'virus-scan': virusScanTask,
  'run-command': runCommandTask,
  'pgp-encrypt': pgpEncryptTask,
  'pgp-decrypt': pgpDecryptTask,
  'pgp-sign': pgpSignTask,
  'pgp-verify': pgpVerifyTask,
  log: logTask,
  'raise-error': raiseErrorTask,
  'submit-job': submitJobTask,
  wait: waitTask,
  'wait-until': waitUntilTask,
  'wait-for-file': waitForFileTask,
  'wait-for-approval': waitForApprovalTask,
} as const satisfies Record<TaskName, Task>;

/** The tasks that a worker has. Older workers have fewer. */
export type TaskTable = Readonly<Partial<Record<TaskName, Task>>>;
