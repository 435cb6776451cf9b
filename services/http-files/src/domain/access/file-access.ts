import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Permission } from '@waybill/contracts/values/permission';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Location, Mounts } from '@waybill/directory/access/mounts';
import type { Filebox } from '@waybill/filebox/filebox';
import type { Entry, FileEntry } from '@waybill/filebox/model/entry';
import type { FileTarget } from './file-target.ts';
import { createFolderCheck } from './folder-check.ts';
import { refusalOf } from './refusal-of.ts';

/** Where a file is or will be, with the permission to go there. */
export interface FilePlace {
  readonly target: FileTarget;
  readonly location: Location;
  /** The file that is there now. */
  readonly file: FileEntry | undefined;
}

/** Where a file or folder is or will be, with the permission to do there what was asked for. */
export interface ElementPlace {
  readonly target: FileTarget;
  readonly location: Location;
  /** What is there now. */
  readonly entry: Entry | undefined;
}

/** Where a folder is, with the permission to list it. */
export interface FolderPlace {
  readonly path: VirtualPath;
  /** Absent for a folder that is there only because something is mounted below it. */
  readonly location: Location | undefined;
}

/**
 * Looks at a request's path in the order that the interface fixes: does the folder exist, is the operation permitted,
 * does the file exist. A missing folder is told only to who may list the folder that would hold it, or may do there what
 * was asked for; everybody else is refused alike, whether it exists or not.
 */
export interface FileAccess {
  /** @throws CodedError `path_not_found`, `filename_missing` (it is a folder), `no_*_permission` */
  openPlace(mounts: Mounts, target: FileTarget, permission: Permission): Promise<FilePlace>;
  /** As `openPlace`, for a file that has to be there. @throws CodedError `file_not_found` too */
  openFile(mounts: Mounts, target: FileTarget, permission: Permission): Promise<FilePlace & { file: FileEntry }>;
  /** A file or a folder. @throws CodedError `path_not_found`, `no_*_permission` */
  openElement(mounts: Mounts, target: FileTarget, permission: Permission): Promise<ElementPlace>;
  /** A folder that is to be listed. @throws CodedError `path_not_found`, `no_list_permission` */
  openFolder(mounts: Mounts, path: VirtualPath): Promise<FolderPlace>;
  /** That a folder is there to be written to. @throws CodedError `path_not_found`, `no_write_permission` */
  requireFolder(mounts: Mounts, path: VirtualPath): Promise<void>;
}

/** Access by the index of a filebox. */
export function createFileAccess({ filebox }: { filebox: Pick<Filebox, 'find'> }): FileAccess {
  const { entryAt, requireFolder } = createFolderCheck({ filebox });

  const openPlace = async (mounts: Mounts, target: FileTarget, permission: Permission): Promise<FilePlace> => {
    const { path, folder } = target;
    const mayDo = mounts.decide(path, permission).allowed;
    await requireFolder(mounts, folder, permission, mayDo);
    const location = mounts.locate(path);
    const entry = await entryAt(location);
    if (entry?.kind === 'folder' || mounts.mountedNames(path).length > 0) {
      if (mayDo || mounts.decide(folder, 'list').allowed) throw new CodedError('filename_missing');
    }
    if (!mayDo || location === undefined) throw refusalOf(permission);
    return { target, location, file: entry?.kind === 'file' ? entry : undefined };
  };

  return {
    openPlace,
    openElement: async (mounts, target, permission) => {
      const mayDo = mounts.decide(target.path, permission).allowed;
      await requireFolder(mounts, target.folder, permission, mayDo);
      const location = mounts.locate(target.path);
      if (!mayDo || location === undefined) throw refusalOf(permission);
      return { target, location, entry: await entryAt(location) };
    },
    openFile: async (mounts, target, permission) => {
      const { file, ...place } = await openPlace(mounts, target, permission);
      if (file === undefined) throw new CodedError('file_not_found', { names: { file: target.name } });
      return { ...place, file };
    },
    openFolder: async (mounts, path) => {
      const mayList = mounts.decide(path, 'list').allowed;
      const location = mounts.locate(path);
      const isStored = (await entryAt(location))?.kind === 'folder';
      if (!isStored) await requireFolder(mounts, path, 'list', mayList);
      if (!mayList) throw refusalOf('list');
      return { path, location: isStored ? location : undefined };
    },
    requireFolder: (mounts, path) => requireFolder(mounts, path, 'upload', mounts.decide(path, 'upload').allowed),
  };
}
