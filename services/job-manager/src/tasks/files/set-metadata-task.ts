import { setMetadataSpecification } from '@waybill/contracts/tasks/file-specifications';
import { defineTask } from '../define-task.ts';

/** Adds metadata to a file. */
export const setMetadataTask = defineTask({
  ...setMetadataSpecification,
  run: async ({ path, metadata }, { files, signal, log }) => {
    signal.throwIfAborted();
    const changed = await files.setMetadata(path, metadata);
    log(`Set ${Object.keys(metadata).length} keys of ${path}`);
    return { ...changed };
  },
});
