import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { deleteSpecification } from '@waybill/contracts/tasks/file-specifications';
import { defineTask } from '../define-task.ts';

/** Deletes a file or a folder. */
export const deleteTask = defineTask({
  ...deleteSpecification,
  run: async ({ path, recursive, ifMissing }, { files, signal, log }) => {
    signal.throwIfAborted();
    try {
      await files.remove(path, { recursive });
    } catch (error) {
      if (ifMissing === 'fail' || !isCodedError(error, 'file_not_found', 'path_not_found')) throw error;
      log(`There is nothing at ${path}`);
      return { path, deleted: false };
    }
    log(`Deleted ${path}`);
    return { path, deleted: true };
  },
});
