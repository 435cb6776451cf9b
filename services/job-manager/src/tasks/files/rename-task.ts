import { CodedError } from '@waybill/contracts/errors/coded-error';
import { placeIn, splitFilePlace } from '@waybill/contracts/tasks/file-place';
import { renameSpecification } from '@waybill/contracts/tasks/file-specifications';
import { joinVirtualPath, parentOf, rootPath } from '@waybill/contracts/values/virtual-path';
import { defineTask } from '../define-task.ts';

/** Renames a file or a folder in its folder. */
export const renameTask = defineTask({
  ...renameSpecification,
  run: async ({ path: place, name, ifExists }, { files, signal, log }) => {
    signal.throwIfAborted();
    const { vfs, path } = splitFilePlace(place);
    if (path === rootPath) throw new CodedError('operation_unsupported', { detail: 'The root cannot be renamed' });
    const target = placeIn(vfs, joinVirtualPath(parentOf(path), name));
    const renamed = await files.move(place, target, { overwrite: ifExists === 'replace' });
    log(`Renamed ${place} to ${renamed.path}`);
    return { ...renamed };
  },
});
