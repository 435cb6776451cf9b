import { sftpPushSpecification } from '@waybill/contracts/tasks/transfer-specifications';
import { defineTask } from '../define-task.ts';
import { pushFile } from './push-file.ts';

/** Sends a file to an SFTP server. */
export const sftpPushTask = defineTask({
  ...sftpPushSpecification,
  run: (parameters, context) => pushFile('sftp', parameters, context),
});
