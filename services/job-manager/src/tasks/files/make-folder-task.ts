import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { placeIn, splitFilePlace } from '@waybill/contracts/tasks/file-place';
import { makeFolderSpecification } from '@waybill/contracts/tasks/file-specifications';
import { segmentsOf, virtualPathOf } from '@waybill/contracts/values/virtual-path';
import { defineTask } from '../define-task.ts';

/** Creates a folder. */
export const makeFolderTask = defineTask({
  ...makeFolderSpecification,
  run: async ({ path: place, parents }, { files, signal, log }) => {
    const { vfs, path } = splitFilePlace(place);
    const segments = segmentsOf(path);
    let created = false;
    for (let depth = parents ? 1 : segments.length; depth <= segments.length; depth += 1) {
      signal.throwIfAborted();
      const folder = placeIn(vfs, virtualPathOf(segments.slice(0, depth)));
      try {
        created = await files.createFolder(folder);
      } catch (error) {
        // A grant for a folder does not reach those above it. They exist, or the next one cannot be created.
        if (depth === segments.length || !isCodedError(error, 'no_write_permission')) throw error;
      }
    }
    log(created ? `Created ${place}` : `${place} exists`);
    return { path: place, created };
  },
});
