import type { Permission } from '@waybill/contracts/values/permission';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Mounts } from '@waybill/directory/access/mounts';
import type { Filebox } from '@waybill/filebox/filebox';
import * as userFiles from '@waybill/user-files/permissions/file-access';
import type { FileTarget } from './file-target.ts';
import { httpDoor, namingFile } from './file-user-of.ts';

/** Where a file is or will be, with the permission to go there. */
export interface FilePlace extends userFiles.FilePlace {
  readonly target: FileTarget;
}

/**
 * Looks at a request's path in the order that the interface fixes: does the folder exist, does a folder have the name of the
 * file, is the operation permitted, does the file exist. `user-files` decides what is told to whom.
 */
export interface FileAccess {
  /** @throws CodedError `path_not_found`, `filename_missing` (it is a folder), `no_*_permission` */
  openPlace(mounts: Mounts, target: FileTarget, permission: Permission): Promise<FilePlace>;
  /** As `openPlace`, for a file that has to be there. @throws CodedError `file_not_found` too */
  openFile(
    mounts: Mounts,
    target: FileTarget,
    permission: Permission,
  ): Promise<FilePlace & Awaited<ReturnType<typeof userFiles.openFile>>>;
  /** A folder that is to be listed. @throws CodedError `path_not_found`, `no_list_permission` */
  openFolder(mounts: Mounts, path: VirtualPath): Promise<userFiles.FolderPlace>;
  /** That a folder is there to be written to. @throws CodedError `path_not_found`, `no_write_permission` */
  requireFolder(mounts: Mounts, path: VirtualPath): Promise<void>;
}

/** Access by the index of a filebox. */
export function createFileAccess({ filebox }: { filebox: Pick<Filebox, 'find'> }): FileAccess {
  const lookerOf = (mounts: Mounts) => ({ door: httpDoor, store: filebox, access: () => Promise.resolve(mounts) });
  return {
    openPlace: async (mounts, target, permission) => {
      const place = await namingFile(() => userFiles.openFilePlace(lookerOf(mounts), target.path, permission));
      return { ...place, target };
    },
    openFile: async (mounts, target, permission) => {
      const place = await namingFile(() => userFiles.openFile(lookerOf(mounts), target.path, permission));
      return { ...place, target };
    },
    openFolder: (mounts, path) => userFiles.openFolder(lookerOf(mounts), path),
    requireFolder: (mounts, path) => userFiles.requireFolder(lookerOf(mounts), path, 'upload'),
  };
}
