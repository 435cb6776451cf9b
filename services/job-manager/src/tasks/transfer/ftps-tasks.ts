import { ftpsPullSpecification, ftpsPushSpecification } from '@waybill/contracts/tasks/transfer-specifications';
import { defineTask } from '../define-task.ts';
import { pullFiles } from './pull-files.ts';
import { pushFile } from './push-file.ts';

/** Sends a file to an FTP server with TLS. */
export const ftpsPushTask = defineTask({
  ...ftpsPushSpecification,
  run: (parameters, context) => pushFile('ftps', parameters, context),
});

/** Fetches files from an FTP server with TLS. */
export const ftpsPullTask = defineTask({
  ...ftpsPullSpecification,
  run: (parameters, context) => pullFiles('ftps', parameters, context),
});
