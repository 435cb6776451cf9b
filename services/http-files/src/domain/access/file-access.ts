import { parentOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Mounts } from '@waybill/directory/access/mounts';
import type { Filebox } from '@waybill/filebox/filebox';
import type { FileEntry } from '@waybill/filebox/model/entry';
import * as writing from '@waybill/user-files/content/permit-writing';
import { lookAtFile } from '@waybill/user-files/entries/look';
import { fileTargetIn, type FileTarget } from './file-target.ts';
import { lookerOf, namingFile } from './file-user-of.ts';

/** Where a file is or will be, with the permission to write it. */
export interface FilePlace extends writing.WritePlace {
  readonly target: FileTarget;
}

/**
 * Looks at a request's path before anything is done there, in the order that the interface fixes. `user-files` decides what
 * is permitted, and what is told to whom.
 */
export interface FileAccess {
  /** A file that is to be written. @throws CodedError `path_not_found`, `filename_missing` (it is a folder), `no_write_permission` */
  permitWriting(mounts: Mounts, target: FileTarget): Promise<FilePlace>;
  /** The same for content that gets its place later, under this name. @throws CodedError `no_write_permission` */
  permitWritingAnywhere(mounts: Mounts, name: string): Promise<FilePlace>;
  /** That a folder is there to be written to. @throws CodedError `path_not_found`, `no_write_permission` */
  requireFolderToWrite(mounts: Mounts, path: VirtualPath): Promise<void>;
  /** A file that is there. @throws CodedError `path_not_found`, `filename_missing`, `no_read_permission`, `file_not_found` */
  lookAtFile(mounts: Mounts, target: FileTarget): Promise<FileEntry>;
}

/** Access by the index of a filebox. */
export function createFileAccess({ filebox }: { filebox: Pick<Filebox, 'find'> }): FileAccess {
  const looker = (mounts: Mounts) => lookerOf(filebox, mounts);
  return {
    permitWriting: async (mounts, target) => {
      const place = await namingFile(() => writing.permitWriting(looker(mounts), target.path));
      return { ...place, target };
    },
    permitWritingAnywhere: async (mounts, name) => {
      const place = await writing.permitWritingAnywhere(looker(mounts), name);
      return { ...place, target: fileTargetIn(parentOf(place.path), name) };
    },
    requireFolderToWrite: (mounts, path) => writing.requireFolderToWrite(looker(mounts), path),
    lookAtFile: (mounts, target) => namingFile(() => lookAtFile(looker(mounts), target.path)),
  };
}
