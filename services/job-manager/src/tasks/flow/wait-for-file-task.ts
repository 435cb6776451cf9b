import { CodedError } from '@waybill/contracts/errors/coded-error';
import { splitFilePlace } from '@waybill/contracts/tasks/file-place';
import { waitForFileSpecification } from '@waybill/contracts/tasks/wait-specifications';
import { defineTask } from '../define-task.ts';
import { isWaitOver, shownTime } from './wait-tasks.ts';

/** Waits for a file. The job is woken when there is one, and looks for it again: it may be gone by then. */
export const waitForFileTask = defineTask({
  ...waitForFileSpecification,
  run: async ({ folder: place, pattern, seconds, otherwise }, { files, waiting, log }) => {
    const { vfs, path: folder } = splitFilePlace(place);
    if (vfs !== undefined) {
      throw new CodedError('validation_failed', { detail: 'folder: must be in the virtual file system of the job' });
    }
    const file = await files.first(folder, pattern);
    if (file) {
      log(`Found ${file.path}`);
      return { found: true, path: file.path, name: file.name, size: file.size };
    }
    const until = waiting.state?.until ?? new Date(Date.now() + seconds * 1_000);
    const what = `a file ${pattern} in ${folder}`;
    if (!waiting.state || !isWaitOver(until)) {
      const message = `Waiting for ${what}, at most until ${shownTime(until)}`;
      waiting.suspend({ kind: 'file', until, folder, pattern, message });
    }
    if (otherwise === 'error') throw new CodedError('job_step_failed', { detail: `there was not ${what} in time` });
    return { found: false, path: '', name: '', size: '0' };
  },
});
