import { sftpPullSpecification } from '@waybill/contracts/tasks/transfer-specifications';
import { defineTask } from '../define-task.ts';
import { pullFiles } from './pull-files.ts';

/** Fetches files from an SFTP server. */
export const sftpPullTask = defineTask({
  ...sftpPullSpecification,
  run: (parameters, context) => pullFiles('sftp', parameters, context),
});
